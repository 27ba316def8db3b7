import type { Caller } from '../../domain/accounts/account';
import type { Attempt, EntityHistory, EntityProfile, Window } from '../../domain/entities/entity-history';
import { entityRef } from '../../domain/entities/entity-ref';
import { notFound } from '../../domain/errors';
import { screen } from '../../domain/screening/screen';

/** What a risk profile needs from the outside. */
export interface RiskProfileDeps {
  readonly clock: { now(): number };
  readonly entities: {
    profile(accountId: string, kind: 'user', entity: string, nowMs: number): Promise<EntityProfile | undefined>;
  };
}

/** A user's risk as of now, from the user's own history alone: one read. */
export async function userRiskProfile(deps: RiskProfileDeps, caller: Caller, userId: string): Promise<object> {
  const nowMs = deps.clock.now();
  const { key } = entityRef(caller.account_id, 'user', 'user', userId);
  const history = await deps.entities.profile(caller.account_id, 'user', key, nowMs);
  if (history?.first_seen_ms === undefined || history.last_seen_ms === undefined) throw notFound('user');

  // Scored as if the user now did the least remarkable thing there is.
  const attempt: Attempt = {
    attempt_id: '',
    at_ms: nowMs,
    action: 'profile_update',
    outcome: 'succeeded',
    user_id: userId,
  };
  const facts = { attempt, has_billing_address: false, user: history, attributes: [] };
  const { risk_score, risk_level, signals } = screen(facts, caller.settings);

  const { transactions, decisions, events, distinct, labels } = history;
  const amounts = Object.entries(history.amounts_by_currency).map(
    ([currency, { total }]) => [currency, total] as const,
  );
  return {
    user_id: userId,
    risk_score,
    risk_level,
    signals,
    first_seen_at: new Date(history.first_seen_ms).toISOString(),
    last_seen_at: new Date(history.last_seen_ms).toISOString(),
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
      recent: history.recent_devices.map(({ device, last_seen_ms }) => ({
        device,
        last_seen_at: new Date(last_seen_ms).toISOString(),
      })),
    },
    ip_addresses: { count: whole(distinct.ips), countries: history.countries },
    outcomes: { confirmed_fraud: whole(labels.fraud), confirmed_legitimate: whole(labels.legitimate) },
    recent_activity: recentActivity(history),
  };
}

const whole = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0));

/** The last month in figures that the history holds anyway: no further read, and no name of anybody else. */
function recentActivity({ transactions, failed_logins, last_event_ms, last_place, hours }: EntityHistory): object {
  const window = (name: Window) => {
    const { count, amount_usd } = transactions.windows[name];
    return { count: whole(count), amount_usd: Math.round(amount_usd * 100) / 100 };
  };
  const changes = Object.entries(last_event_ms)
    .sort(([, a], [, b]) => b - a)
    .map(([event_type, atMs]) => ({ event_type, at: new Date(atMs).toISOString() }));
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
    last_changes: changes,
    last_place: last_place
      ? { country: last_place.country, network: last_place.network, at: new Date(last_place.at_ms).toISOString() }
      : null,
    by_time_of_day: hours.map(whole),
  };
}
