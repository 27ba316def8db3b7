import type { Caller } from '../domain/account';
import type { Attempt, EntityHistory } from '../domain/entities/entity-history';
import { entityRef } from '../domain/entities/entity-ref';
import { notFound } from '../domain/errors';
import { screen } from '../domain/screening/screen';

/** What a risk profile needs from the outside. */
export interface RiskProfileDeps {
  readonly clock: { now(): number };
  readonly entities: {
    history(accountId: string, kind: 'user', entity: string, nowMs: number): Promise<EntityHistory | undefined>;
  };
}

/** A user's risk as of now, from the user's own history alone: one read. */
export async function userRiskProfile(deps: RiskProfileDeps, caller: Caller, userId: string): Promise<object> {
  const nowMs = deps.clock.now();
  const { key } = entityRef(caller.account_id, 'user', 'user', userId);
  const history = await deps.entities.history(caller.account_id, 'user', key, nowMs);
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
  const whole = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0));
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
  };
}
