import type { AmountStats, EntityHistory } from '../../entities/entity-history';
import { spentEarlier, usualAboveUsd } from '../exposure';
import { aboutDollars, times } from '../sentence';
import { ENTITY_FEATURES } from './entity-features';
import { type AttemptContext, type AttemptFeature, MISSING, surprise, type Words } from './feature-table';

/** Before anything is known about a payer: amounts within a factor of e (2.7) are ordinary. */
const PRIOR_SD_LOG = 1;
/** How many amounts the prior is worth: after 5 of the payer's own, half the spread is theirs. */
const PRIOR_WEIGHT = 5;

/**
 * How far an amount lies from what the statistics predict, in standard deviations of its
 * logarithm. It is a prediction, not a fit: one earlier amount says little, so the expected spread is
 * drawn towards the prior and widened by 1 + 1/n. Missing if there are no amounts.
 */
export function amountSurprise(lnAmount: number, stats: AmountStats | undefined): number {
  if (stats === undefined || stats.count < 1) return Number.NaN;
  const variance =
    (stats.count * stats.sd_log * stats.sd_log + PRIOR_WEIGHT * PRIOR_SD_LOG * PRIOR_SD_LOG) /
    (stats.count + PRIOR_WEIGHT);
  return (lnAmount - stats.mean_log) / Math.sqrt(variance * (1 + 1 / stats.count));
}

/** With fewer amounts than this in the same currency, all currencies together in US dollars say more. */
const OWN_CURRENCY_MIN = 3;

/** The amounts to compare this one with, and its logarithm in their currency. */
export function amountBasis(
  user: EntityHistory | undefined,
  { attempt, ln_usd, one }: AttemptContext,
): { readonly ln: number; readonly stats: AmountStats } | undefined {
  if (user === undefined || one === 0 || attempt.amount === undefined) return undefined;
  const own = attempt.currency === undefined ? undefined : user.amounts_by_currency[attempt.currency];
  if (own !== undefined && (own.count >= OWN_CURRENCY_MIN || own.count >= user.amounts_usd.count)) {
    return { ln: Math.log(attempt.amount), stats: own };
  }
  return { ln: ln_usd, stats: user.amounts_usd };
}

export const AMOUNT_FEATURES = {
  amount_ln_usd: {
    description: 'natural logarithm of the amount in US dollars',
    words: ['amount', aboutDollars],
    explains: 'amount_anomaly',
    read: ({ ln_usd }) => ln_usd,
  },
  user_amount_surprise: {
    description:
      "how far the amount lies from the user's own in this currency (else in all, in dollars), in standard deviations of the logarithm",
    words: ['usual amounts (user)', (value) => `${surprise(value)} for this user`],
    explains: 'amount_anomaly',
    read: (context) => {
      const basis = amountBasis(context.facts.user, context);
      return basis === undefined ? MISSING : amountSurprise(basis.ln, basis.stats);
    },
  },
} as const satisfies Record<string, AttemptFeature>;

/** The logarithm of how many times the usual amount of an attribute's value this one is. */
function ratioTo({ facts: { attributes }, ln_usd }: AttemptContext, wanted: string): number {
  for (const { key, history } of attributes) {
    if (key === wanted)
      return history && history.amounts_usd.count > 0 ? ln_usd - history.amounts_usd.mean_log : MISSING;
  }
  return MISSING;
}

const timesTheUsual = (of: string): Words => [
  `usual amounts (${of})`,
  (value) => `${times(Math.exp(value))} the usual amount (${of})`,
];

const relativeTo = (key: string, words: string): AttemptFeature => ({
  description: `natural logarithm of the amount divided by the ${words}'s usual one (missing: none before)`,
  words: timesTheUsual(words),
  explains: 'amount_anomaly',
  read: (context) => ratioTo(context, key),
});

/**
 * Amounts as they were sent, and relative to what is usual. A surprise is measured in standard deviations, which hides
 * how much is at stake; and a rough rate to dollars blurs bounds that people set in their own currency.
 */
export const RELATIVE_AMOUNT_FEATURES = {
  amount_ln: {
    description: 'natural logarithm of the amount in its own currency',
    words: ['amount', (value) => `amount ${Number(Math.exp(value).toPrecision(3))} in its own currency`],
    explains: 'amount_anomaly',
    read: ({ attempt, one }) => (one === 1 && attempt.amount !== undefined ? Math.log(attempt.amount) : MISSING),
  },
  user_amount_ratio: {
    description:
      "natural logarithm of the amount divided by the user's usual one in this currency (else in all, in dollars; missing: none before)",
    words: timesTheUsual('user'),
    explains: 'amount_anomaly',
    read: (context) => {
      const basis = amountBasis(context.facts.user, context);
      return basis === undefined || basis.stats.count < 1 ? MISSING : basis.ln - basis.stats.mean_log;
    },
  },
  merchant_id_amount_ratio: relativeTo('merchant_id', 'merchant'),
  terminal_id_amount_ratio: relativeTo('terminal_id', 'terminal'),
  category_amount_ratio: relativeTo('category', 'category'),
} as const satisfies Record<string, AttemptFeature>;

/** A user's own amounts are a habit after this many purchases older than a day: a burst cannot make itself usual. */
const USER_MIN = 3;
/** For a merchant, a terminal or a category this takes more: one customer must not decide it. */
const SHARED_MIN = 50;
const SHARED_KEYS: ReadonlySet<string> = new Set(['merchant_id', 'terminal_id', 'category']);

const isHabit = (user: EntityHistory): boolean => ENTITY_FEATURES.tx_established.read(user) >= USER_MIN;

/** Standard deviations per factor of e above the largest day: 30 times as much is unheard of. */
const PER_FACTOR = 1.9;

/**
 * How far the amount lies above the user's own: above the largest day of theirs that is older than a week. A few cents widen
 * any spread, but raise no height. Where nobody kept it, the spread counts as well; missing while nothing is that old.
 */
function ownSurprise(user: EntityHistory, context: AttemptContext): number {
  const basis = amountBasis(user, context);
  const usual = usualAboveUsd(user, context.attempt.at_ms);
  if (basis === undefined || usual === undefined) return MISSING;
  const above = PER_FACTOR * (context.ln_usd - Math.log(usual + 1));
  return user.largest_day?.usual_usd === undefined ? Math.max(amountSurprise(basis.ln, basis.stats), above) : above;
}

const lesser = (a: number, b: number): number => (b >= a ? a : Number.isNaN(b) ? a : b);

const NOTABLE_LN_USD = Math.log(1_000);

function leastSurprise(context: AttemptContext): number {
  const { facts, ln_usd } = context;
  if (!(ln_usd >= NOTABLE_LN_USD)) return MISSING;
  const { user } = facts;
  let least = user && isHabit(user) ? ownSurprise(user, context) : MISSING;
  for (const { key, history } of facts.attributes) {
    if (history === undefined || !SHARED_KEYS.has(key) || history.amounts_usd.count < SHARED_MIN) continue;
    least = lesser(least, amountSurprise(ln_usd, history.amounts_usd));
  }
  return least;
}

/** Whether anything known makes an amount usual. */
export const USUAL_AMOUNT_FEATURES = {
  amount_least_surprise: {
    description:
      "how far the amount lies above the user's own, also above the largest day older than a week (after 3 purchases older than a day), or from the merchant's, terminal's or category's (after 50), whichever it is closer to, in standard deviations of the logarithm (missing: below 1,000 US dollars)",
    words: ['usual amounts', surprise],
    explains: 'extreme_amount',
    read: leastSurprise,
  },
} as const satisfies Record<string, AttemptFeature>;

const sumOf = (of: 'hour' | 'day' | 'week', span: string): AttemptFeature => ({
  description: `largest sum that the user, card, email, device or address has spent in ${span}, this one included, in US dollars (missing: no more than this one)`,
  words: ['sums', (value) => `${aboutDollars(Math.log(value))} in ${span}`],
  explains: 'split_payments',
  read: ({ exposures, amount_usd }) => {
    let largest = amount_usd;
    for (const exposure of exposures) largest = Math.max(largest, exposure[of]);
    return largest > amount_usd ? largest : MISSING;
  },
});

/** Another card or device does not make a day unusual that is usual for its user. */
const USUAL_TIMES = 3;

function newMoney({ facts, attempt, exposures }: AttemptContext, of: 'day' | 'week'): number {
  const { user } = facts;
  const usual = USUAL_TIMES * ((user && usualAboveUsd(user, attempt.at_ms)) ?? 0);
  let largest = 0;
  for (const exposure of exposures) {
    if (exposure.isNew && exposure.isSplit[of] && exposure[of] > usual) largest = Math.max(largest, exposure[of]);
  }
  const isUsual = largest === 0 || (of === 'day' && largest <= spentEarlier(facts));
  return isUsual ? MISSING : largest;
}

/** Features of the total of several payments. */
export const EXPOSURE_FEATURES = {
  exposure_1h_usd: sumOf('hour', 'an hour'),
  exposure_24h_usd: sumOf('day', '24 hours'),
  exposure_7d_usd: sumOf('week', '7 days'),
  new_money_24h_usd: {
    description:
      'the same of 24 hours by a user, or with a card, email, device or address, of which nothing older than a week is known (missing: before the third payment, or a second of 200 dollars, or usual for the user, or no more than they spent on earlier days of the week)',
    words: ['sums', (value) => `${aboutDollars(Math.log(value))} in 24 hours, nothing like it before`],
    explains: 'split_payments',
    read: (context) => newMoney(context, 'day'),
  },
  new_money_7d_usd: {
    description: 'the same of 7 days (missing: a single payment, or usual for the user)',
    words: ['sums', (value) => `${aboutDollars(Math.log(value))} in 7 days, nothing like it before`],
    explains: 'split_payments',
    read: (context) => newMoney(context, 'week'),
  },
  pieces_score: {
    description:
      'score that all payments of a day or a week would have at once, if that would be stopped (missing: it would not, or not for that)',
    words: ['sums', (value) => `at once this would score ${Math.round(value)}`, 'ordinary sums'],
    explains: 'split_payments',
    read: ({ facts: { pieces_score = MISSING } }) => pieces_score,
  },
} as const satisfies Record<string, AttemptFeature>;
