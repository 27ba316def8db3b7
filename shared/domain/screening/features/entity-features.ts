import type { EntityHistory } from '../../entities/entity-history';
import { highestStopped, stoppedAmounts } from '../../entities/stopped-mark';
import { aboutDollars, count, percent, times } from '../sentence';
import {
  type AttemptContext,
  ago,
  counted,
  type EntityFeature,
  type EntityWords,
  MISSING,
  share,
} from './feature-table';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Labels are rare: before any, 1% of an entity's attempts are assumed to be fraud, with the weight of 5 labels. */
const LABEL_PRIOR = 0.01;
const LABEL_PRIOR_WEIGHT = 5;

/**
 * Transactions per day over the last 30 days, excluding the last day, which holds the burst itself.
 * Everybody is assumed to have had one day with one transaction, so a newcomer's usual rate is 1 per day.
 */
export function usualPerDay(
  { transactions: { windows, stopped }, first_seen_ms }: EntityHistory,
  atMs: number,
): number {
  // A stopped attempt does not become usual by being retried.
  const before = Math.max(0, windows['30d'].count - windows['24h'].count - stopped);
  const days = Math.min(30, daysSince(first_seen_ms, atMs));
  return (before + 1) / (Math.max(0, days - 1) + 1);
}

const daysSince = (ms: number | undefined, atMs: number): number =>
  ms === undefined ? 0 : Math.max(0, atMs - ms) / DAY_MS;

const burst = (span: string): EntityWords => [
  'usual activity',
  (value, entity) => `as many transactions in ${span} as in ${count(value, 'usual day')} (${entity})`,
];

const established = ({ transactions }: EntityHistory): number => transactions.established;

const isFailedLogin = (attempt: { action: string; outcome: string }): number =>
  attempt.action === 'login' && attempt.outcome === 'failed' ? 1 : 0;

/** The signal that reports confirmed labels about each kind of entity. */
export const REPUTATION = {
  user: 'prior_fraud',
  device: 'known_fraud_device',
  ip: 'known_fraud_ip',
  attribute: 'attribute_risk',
} as const;

/** Networks are not sent; they are looked up. */
const noData = (entity: string): string =>
  ['network', 'internet provider'].includes(entity) ? `unknown ${entity}` : `no ${entity} data`;

type Window = keyof EntityHistory['transactions']['windows'];

const transactionsIn = (window: Window, span: string): EntityFeature => ({
  description: `transactions in ${span}, this one included`,
  words: counted('transaction', ` in ${span}`),
  explains: 'velocity_spike',
  read: (history, { one }) => history.transactions.windows[window].count + one,
});

const burstIn = (window: Window, span: string): EntityFeature => ({
  description: `how many usual days' worth of transactions fell into ${span}`,
  words: burst(span),
  explains: 'velocity_spike',
  read: (history, { attempt, one }) =>
    (history.transactions.windows[window].count + one) / usualPerDay(history, attempt.at_ms),
});

/** The same for user, device and IP: one table, three groups of features. */
export const ENTITY_FEATURES = {
  tx_10m: transactionsIn('10m', '10 minutes'),
  tx_1h: transactionsIn('1h', 'an hour'),
  tx_24h: transactionsIn('24h', '24 hours'),
  tx_7d: transactionsIn('7d', '7 days'),
  tx_30d: transactionsIn('30d', '30 days'),
  tx_established: {
    description: 'transactions older than 24 hours, ever, that were not stopped',
    words: counted('earlier transaction'),
    explains: 'velocity_spike',
    read: established,
  },
  amount_24h_usd: {
    description: 'amount in 24 hours in US dollars, this one included',
    words: ['amounts', (value, entity) => `${aboutDollars(Math.log(value))} in 24 hours (${entity})`],
    explains: 'velocity_spike',
    read: (history, { one, amount_usd }) =>
      history.transactions.windows['24h'].amount_usd + (one === 1 && amount_usd > 0 ? amount_usd : 0),
  },
  burst_10m: burstIn('10m', '10 minutes'),
  burst_24h: burstIn('24h', '24 hours'),
  age_days: {
    description: 'days since an attempt with it was first allowed (0: now, or never)',
    words: ['age', (value, entity) => `${entity} first seen ${ago(value * 86_400)}`, noData],
    explains: { device: 'new_device', ip: 'shared_ip' },
    read: ({ trusted_since_ms }, { attempt }) => daysSince(trusted_since_ms, attempt.at_ms),
  },
  idle_hours: {
    description: 'hours since it was last seen (missing: never)',
    words: ['last activity', (value, entity) => `${entity} last seen ${ago(value * 3_600)}`],
    explains: { device: 'new_device', ip: 'shared_ip' },
    read: ({ last_seen_ms }, { attempt }) =>
      last_seen_ms === undefined ? MISSING : Math.max(0, attempt.at_ms - last_seen_ms) / HOUR_MS,
  },
  failed_logins_1h: {
    description: 'failed logins in an hour, this one included',
    words: counted('failed login', ' in an hour'),
    explains: 'failed_login_burst',
    read: (history, { attempt }) => history.failed_logins['1h'] + isFailedLogin(attempt),
  },
  fraud_labels: {
    description: 'attempts confirmed as fraud',
    words: counted('confirmed fraud'),
    explains: REPUTATION,
    read: ({ labels }) => labels.fraud,
  },
  legitimate_labels: {
    description: 'attempts confirmed as legitimate',
    words: ['confirmed attempts', (value, entity) => `${Math.round(value)} confirmed legitimate (${entity})`],
    explains: REPUTATION,
    read: ({ labels }) => labels.legitimate,
  },
  fraud_share: {
    description: 'share of fraud among its labels, smoothed (1% before any label)',
    words: share('reviews', 'of reviews were fraud'),
    explains: REPUTATION,
    read: ({ labels }) => smoothedShare(labels.fraud, labels.fraud + labels.legitimate),
  },
  fraud_rate: {
    description:
      'share of confirmed fraud among its labels or its transactions older than 24 hours, whichever are more; smoothed',
    words: share('fraud rate', 'fraud'),
    explains: REPUTATION,
    read: (history) => {
      const { fraud, legitimate } = history.labels;
      return smoothedShare(fraud, Math.max(fraud + legitimate, established(history)));
    },
  },
  flagged_share: {
    description: 'review and block decisions to transactions older than 24 hours, smoothed',
    words: ['flagged transactions', (value, entity) => `${percent(value)} of transactions flagged (${entity})`],
    explains: REPUTATION,
    read: (history) => smoothedShare(history.decisions.review + history.decisions.block, established(history)),
  },
} as const satisfies Record<string, EntityFeature>;

export type EntityFeatureName = keyof typeof ENTITY_FEATURES;

/** A share that starts at the prior and follows the evidence; it never falls as `hits` grows. */
export function smoothedShare(hits: number, of: number): number {
  return (hits + LABEL_PRIOR * LABEL_PRIOR_WEIGHT) / (Math.max(hits, of) + LABEL_PRIOR_WEIGHT);
}

const HABIT_MIN = 3;

/**
 * The mean logarithm of amounts, those of the last day left out: what was allowed a minute ago is not usual yet, or a spree
 * would make itself usual. Of the last day only the sum is known: its payments count with the logarithm of their mean.
 */
function usualLog({ amounts_usd: { count: all, mean_log }, transactions }: EntityHistory): number {
  const { count: inDay, amount_usd } = transactions.windows['24h'];
  const recent = Math.min(inDay, Math.max(0, all - transactions.established));
  if (all - recent < HABIT_MIN) return MISSING;
  return recent < 1 || amount_usd <= 0
    ? mean_log
    : (all * mean_log - recent * Math.log(amount_usd / inDay)) / (all - recent);
}

/** Everyone is assumed to have spent this much before: a newcomer's first day is not infinitely more. */
const LEAST_SPENT_USD = 10;

/** The logarithm of the spending in a window, this attempt included, against as many days of the 30 before it. */
function spendingRatio(history: EntityHistory, { attempt, amount_usd }: AttemptContext, window: '24h' | '7d'): number {
  const { windows } = history.transactions;
  const spent = windows[window].amount_usd;
  const days = window === '24h' ? 1 : 7;
  const daysBefore = Math.max(1, Math.min(30, daysSince(history.first_seen_ms, attempt.at_ms)) - days);
  const before = Math.max(0, windows['30d'].amount_usd - spent) + LEAST_SPENT_USD;
  return Math.log((spent + amount_usd) / days / (before / daysBefore));
}

const timesUsual = (what: string): EntityWords => [
  what,
  (value, entity) => `${times(Math.exp(value))} the usual ${what} (${entity})`,
];

/** Usual spending, and the last day compared with it. */
export const HABIT_FEATURES = {
  largest_24h_ln: {
    description: 'natural logarithm of the largest amount in 24 hours in US dollars, this one left out (missing: none)',
    words: ['largest amount today', (value, entity) => `${aboutDollars(value)} within the last day (${entity})`],
    explains: 'amount_anomaly',
    read: ({ transactions: { largest_24h_usd = 0 } }) => (largest_24h_usd > 0 ? Math.log(largest_24h_usd) : MISSING),
  },
  habit_amount_ratio: {
    description:
      'natural logarithm of the amount divided by the usual one, the last day left out (missing: below 3 older purchases)',
    words: timesUsual('amount'),
    explains: 'amount_anomaly',
    read: (history, { ln_usd }) => ln_usd - usualLog(history),
  },
  day_spending_ratio: {
    description:
      'natural logarithm of what was spent in 24 hours, this one included, divided by a usual day of the last 30',
    words: timesUsual('spending in a day'),
    explains: 'amount_anomaly',
    read: (history, context) => spendingRatio(history, context, '24h'),
  },
  week_spending_ratio: {
    description:
      'natural logarithm of what was spent in 7 days, this one included, divided by a usual week of the last 30 days',
    words: timesUsual('spending in a week'),
    explains: 'amount_anomaly',
    read: (history, context) => spendingRatio(history, context, '7d'),
  },
} as const satisfies Record<string, EntityFeature>;

function triedIn24h({ stopped_marks }: EntityHistory, { attempt }: AttemptContext): readonly number[] {
  const { undecided, rejected } = stopped_marks;
  return undecided.length + rejected.length === 0 ? [] : stoppedAmounts(stopped_marks, attempt.at_ms - DAY_MS);
}

/** A thief continues: after a stopped attempt, the next one is seldom the owner's, however ordinary it looks alone. */
const stoppedWithin = (days: number, span: string): EntityFeature => ({
  description: `highest score of what was stopped in ${span}; at home, of what was on the same device (0: nothing)`,
  words: [
    'stopped attempts',
    (value, entity) =>
      value > 0 ? `stopped at ${Math.round(value)} in ${span} (${entity})` : `nothing stopped in ${span} (${entity})`,
  ],
  explains: 'repeats_stopped_attempt',
  read: (history, { attempt }) => highestStopped(attempt, history, attempt.at_ms - days * DAY_MS),
});

/** The last day with what was stopped: amounts that a score itself keeps out of the windows must not lower the next score. */
export const TRIED_FEATURES = {
  tried_24h_usd: {
    description: 'amount in 24 hours in US dollars, this one and what was stopped included',
    words: ['amounts tried', (value, entity) => `${aboutDollars(Math.log(value))} tried in 24 hours (${entity})`],
    explains: 'velocity_spike',
    read: (history, context) =>
      triedIn24h(history, context).reduce(
        (sum, usd) => sum + usd,
        ENTITY_FEATURES.amount_24h_usd.read(history, context),
      ),
  },
  tried_largest_24h_ln: {
    description:
      'natural logarithm of the largest amount in 24 hours in US dollars, stopped or not, this one left out (missing: none)',
    words: ['largest amount tried', (value, entity) => `${aboutDollars(value)} tried within the last day (${entity})`],
    explains: 'amount_anomaly',
    read: (history, context) => {
      const largest = Math.max(history.transactions.largest_24h_usd ?? 0, ...triedIn24h(history, context));
      return largest > 0 ? Math.log(largest) : MISSING;
    },
  },
} as const satisfies Record<string, EntityFeature>;

export const STOPPED_FEATURES = {
  stopped_score_24h: stoppedWithin(1, '24 hours'),
  stopped_score_7d: stoppedWithin(7, '7 days'),
} as const satisfies Record<string, EntityFeature>;
