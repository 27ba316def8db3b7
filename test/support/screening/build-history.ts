import {
  type AmountStats,
  type EntityHistory,
  NEVER_SEEN,
  type Window,
} from '../../../shared/domain/entities/entity-history';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';

export const NOW_MS = Date.UTC(2026, 10, 16, 14, 30);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export { NEVER_SEEN };

/** Transactions by age: each window includes the smaller ones. */
export interface Spent {
  readonly within10m?: number;
  readonly within1h?: number;
  readonly within24h?: number;
  readonly within7d?: number;
  readonly within30d?: number;
  readonly earlier?: number;
  /** The amount of each. */
  readonly eachUsd?: number;
}

/** A history that began `days` ago, with this many transactions and whatever else is given. */
export function history(days: number, spent: Spent = {}, more: Partial<EntityHistory> = {}): EntityHistory {
  const eachUsd = spent.eachUsd ?? 40;
  const counts = [spent.within10m, spent.within1h, spent.within24h, spent.within7d, spent.within30d];
  const names: readonly Window[] = ['10m', '1h', '24h', '7d', '30d'];
  let sum = 0;
  const windows = Object.fromEntries(
    names.map((name, i) => {
      sum += counts[i] ?? 0;
      return [name, { count: sum, amount_usd: sum * eachUsd }];
    }),
  ) as Record<Window, { count: number; amount_usd: number }>;
  const total = sum + (spent.earlier ?? 0);
  return {
    ...NEVER_SEEN,
    first_seen_ms: NOW_MS - days * DAY_MS,
    last_seen_ms: NOW_MS - (spent.within10m ? MINUTE_MS : 5 * HOUR_MS),
    trusted_since_ms: NOW_MS - days * DAY_MS,
    transactions: { total, established: total - windows['24h'].count, stopped: 0, windows },
    hours: [0, 0, 0, total, total, total, 0, 0],
    amounts_usd: amounts(total, eachUsd),
    amounts_by_currency: total === 0 ? {} : { USD: amounts(total, eachUsd) },
    ...more,
  };
}

/** Amounts around `usual`, spread by a factor of about 1.6. */
export const amounts = (count: number, usual: number): AmountStats => ({
  count,
  total: count * usual,
  mean_log: Math.log(usual),
  sd_log: count < 2 ? 0 : 0.5,
});

/** All counterparts known: the user on their own device at home with their own card. */
export const KNOWN = {
  distinct: { users: 1, devices: 1, ips: 1, countries: 1, cards: 1 },
  seen: { users: true, devices: true, ips: true, countries: true, cards: true },
} as const;

/** A purchase of 40 US dollars at home by a new user, on a device and from an IP address never seen. */
export function purchase(change: Partial<ScreeningFacts> = {}, attempt: Partial<ScreeningFacts['attempt']> = {}) {
  const facts: ScreeningFacts = {
    attempt: {
      attempt_id: 'txn_1',
      at_ms: NOW_MS,
      action: 'transaction',
      outcome: 'succeeded',
      amount: 40,
      currency: 'USD',
      user_id: 'u1',
      device: 'd1',
      ip: '8.8.8.8',
      country: 'US',
      network: 'other',
      card: 'c1',
      ...attempt,
    },
    payment_method: 'card',
    billing_country: 'US',
    has_billing_address: true,
    ip: { country: 'US', asn: 7018, network: 'other' },
    user: NEVER_SEEN,
    device: NEVER_SEEN,
    ip_history: NEVER_SEEN,
    attributes: [],
    ...change,
  };
  return facts;
}

/** An event of the same user. */
export function event(
  action: Exclude<ScreeningFacts['attempt']['action'], 'transaction'>,
  change: Partial<ScreeningFacts> = {},
  outcome: 'succeeded' | 'failed' = 'succeeded',
): ScreeningFacts {
  const { amount, currency, card, ...attempt } = purchase().attempt;
  const { payment_method, billing_country, ...rest } = purchase();
  return {
    ...rest,
    has_billing_address: false,
    ...change,
    attempt: { ...attempt, attempt_id: 'evt_1', action, outcome },
  };
}
