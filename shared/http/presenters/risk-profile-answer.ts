import { NO_DECLINES } from '../../domain/entities/declines';
import type { EntityHistory, EventAction, Window } from '../../domain/entities/entity-history';
import type { RiskProfile } from '../../domain/screening/risk-profile';
import type { AnswerOf } from '../../schemas/answer-of';
import type { riskProfile } from '../../schemas/screening';

type Answer = AnswerOf<typeof riskProfile>;

const whole = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0));
const iso = (ms: number): string => new Date(ms).toISOString();

export function riskProfileAnswer({ user_id, risk_score, risk_level, signals, history }: RiskProfile): Answer {
  const { transactions, decisions, events, distinct, labels } = history;
  const amounts = Object.entries(history.amounts_by_currency).map(
    ([currency, { total }]) => [currency, total] as const,
  );
  return {
    user_id,
    risk_score,
    risk_level,
    signals,
    first_seen_at: iso(history.first_seen_ms),
    last_seen_at: iso(history.last_seen_ms),
    transactions: {
      count: transactions.total,
      allowed: whole(transactions.total - decisions.review - decisions.block),
      reviewed: whole(decisions.review),
      blocked: whole(decisions.block),
      amount_by_currency: Object.fromEntries(amounts),
      last_24h: whole(transactions.windows['24h'].count),
      last_7d: whole(transactions.windows['7d'].count),
    },
    events: { count: events.total, by_type: events.by_type },
    devices: {
      count: whole(distinct.devices),
      recent: history.recent_devices.map(({ device, last_seen_ms }) => ({ device, last_seen_at: iso(last_seen_ms) })),
    },
    ip_addresses: { count: whole(distinct.ips), countries: history.countries },
    outcomes: { confirmed_fraud: whole(labels.fraud), confirmed_legitimate: whole(labels.legitimate) },
    recent_activity: recentActivity(history),
  };
}

/** The last month in numbers that the history holds anyway: no further read, and nobody else's identity. */
function recentActivity(history: EntityHistory): Answer['recent_activity'] {
  const { transactions, failed_logins, declines = NO_DECLINES, last_event_ms, last_place, hours } = history;
  const window = (name: Window) => {
    const { count, amount_usd } = transactions.windows[name];
    return { count: whole(count), amount_usd: Math.round(amount_usd * 100) / 100 };
  };
  const changes = (Object.entries(last_event_ms) as [EventAction, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([event_type, atMs]) => ({ event_type, at: iso(atMs) }));
  return {
    transactions: {
      last_10m: window('10m'),
      last_1h: window('1h'),
      last_24h: window('24h'),
      last_7d: window('7d'),
      last_30d: window('30d'),
    },
    failed_logins: {
      last_10m: whole(failed_logins['10m']),
      last_1h: whole(failed_logins['1h']),
      last_24h: whole(failed_logins['24h']),
    },
    declines: {
      last_10m: declines['10m'],
      last_1h: declines['1h'],
      last_24h: declines['24h'],
      cards_last_24h: declines.cards,
    },
    last_changes: changes,
    last_place: last_place
      ? { country: last_place.country, network: last_place.network, at: iso(last_place.at_ms) }
      : null,
    by_time_of_day: hours.map(whole),
  };
}
