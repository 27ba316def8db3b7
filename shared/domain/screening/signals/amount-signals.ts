import { amountBasis } from '../features/amount-features';
import { attemptContext } from '../features/feature-table';
import type { ScreeningFacts } from '../screening-facts';
import { aboutDollars, count, price, times } from '../sentence';
import {
  all,
  any,
  atLeast,
  atMost,
  deviceIsNew,
  type FeatureValues,
  graded,
  gradedByFactor,
  isFalse,
  not,
  type SignalDefinition,
} from '../signal-definition';

/** In US dollars: ten times a coffee is still lunch. */
const NOTABLE_LN_USD = Math.log(30);
/**
 * Standard deviations. After a dozen purchases of about the same amount, 6.5 is some fifty times of it; after three, or
 * with amounts that vary a lot, a few hundred times.
 */
const UNHEARD_OF = 6.5;
/** On a device that is new to the user, already some twenty times of it is. */
const UNHEARD_OF_ELSEWHERE = 5.5;
/** The amounts of three purchases or more, all older than a day: a thief's first small ones are not a habit yet. */
const HABIT = 3;

/** Nothing makes it usual: neither the user's habit nor the merchant, terminal or category (from 1,000 US dollars). */
const isUnheardOf = all(
  any(
    atLeast('amount_least_surprise', UNHEARD_OF),
    all(deviceIsNew, atLeast('amount_least_surprise', UNHEARD_OF_ELSEWHERE)),
  ),
  atLeast('user_tx_established', HABIT),
);

export const amountAnomaly: SignalDefinition = {
  name: 'amount_anomaly',
  summary: "the amount is far above the user's earlier ones",
  family: 'amount',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('user_amount_surprise', 1.8), atLeast('amount_ln_usd', NOTABLE_LN_USD)),
      strength: graded('user_amount_surprise', [1.8, 0.5], [6, 4]),
      detail: comparedWithUsual,
    },
    {
      when: isUnheardOf,
      strength: graded('amount_least_surprise', [UNHEARD_OF, 4.3], [10, 6]),
      detail: comparedWithUsual,
    },
  ],
  // Anyone with the user's session has the user's device, address and trust: only the amount is left to check.
  forces_review: isUnheardOf,
};

function comparedWithUsual(value: FeatureValues, facts: ScreeningFacts): string {
  const amount = price(facts.attempt, value('amount_ln_usd'));
  const basis = amountBasis(facts.user, attemptContext(facts));
  if (basis === undefined) return `${amount}: far above this user's usual amount`;
  const factor = times(Math.exp(basis.ln - basis.stats.mean_log));
  return `${amount}: ${factor} this user's usual amount (${count(basis.stats.count, 'transaction')})`;
}

const LN_10K_USD = Math.log(10_000);
const LN_100K_USD = Math.log(100_000);

/** Nothing known makes the amount usual: not the user's habit, nor the merchant's, terminal's or category's. */
const isUnlikeAny = all(atLeast('user_tx_established', 0), not(atMost('amount_least_surprise', 3)));

/**
 * Consumer goods end at about 10,000 US dollars; from there on, somebody without comparable purchases is worth a look:
 * a score of 36 at 10,000, review from about 29,000 (25,000 euros) if it is a first purchase. Above 100,000 a person decides,
 * whatever else speaks in favour: no model has learnt from such amounts.
 */
export const extremeAmount: SignalDefinition = {
  name: 'extreme_amount',
  summary: 'an amount from 10,000 US dollars that nothing in the history of the user or merchant makes usual',
  family: 'amount',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('amount_ln_usd', LN_10K_USD), isUnlikeAny),
      strength: graded('amount_ln_usd', [LN_10K_USD, 3.2], [LN_100K_USD, 7.5]),
      detail: (value, { attempt }) => {
        const amount = price(attempt, value('amount_ln_usd'));
        return value('user_tx_established') > 0
          ? `${amount}: far beyond anything in this user's history`
          : `${amount} from a user without comparable purchases`;
      },
    },
  ],
  forces_review: all(atLeast('amount_ln_usd', LN_100K_USD), isUnlikeAny),
};

/** More than a new customer spends in pieces, in 24 hours and in a week. */
const SPREE_24H_USD = 2_000;
const SPREE_7D_USD = 10_000;
const isSpree = any(atLeast('new_money_24h_usd', SPREE_24H_USD), atLeast('new_money_7d_usd', SPREE_7D_USD));

/**
 * Anyone who is never stopped leaves no mark, and each piece looks harmless. So what a day's or a week's payments add up to is
 * screened like one payment (`exposure.ts`), and somebody new does not spend without limit before anybody has looked.
 */
export const splitPayments: SignalDefinition = {
  name: 'split_payments',
  summary:
    'payments that add up to one that would be stopped, or to 2,000 US dollars in a day from somebody new; never scored lower than one payment of the sum',
  family: 'amount',
  applies_to: 'transactions',
  cases: [
    { when: isSpree, strength: gradedByFactor('new_money_7d_usd', [SPREE_24H_USD, 3], [20_000, 7]), detail: addsUp },
    // Its weight is the lift. Anything on top would be lost with it, once other evidence alone reaches the score of the sum.
    { when: atLeast('pieces_score', 1), strength: 1e-9, detail: addsUp },
  ],
  forces_review: isSpree,
  lifts_to: 'pieces_score',
};

function addsUp(value: FeatureValues, facts: ScreeningFacts): string {
  const { exposures } = attemptContext(facts);
  const most = (of: 'day' | 'week') => exposures.reduce((a, b) => (b[of] > a[of] ? b : a));
  const of = most('day').day >= most('week').week / 1.05 ? 'day' : 'week';
  const { whose, payments, [of]: usd } = most(of);
  const sum = `${count(payments[of], 'payment')} ${whose} in ${of === 'day' ? '24 hours' : '7 days'}: ${aboutDollars(Math.log(usd))}`;
  const score = value('pieces_score');
  return score > 0 ? `${sum}, which would score ${score} at once` : sum;
}

const LN_250_USD = Math.log(250);
const LN_500_USD = Math.log(500);
const LN_5000_USD = Math.log(5000);

export const firstUseHighAmount: SignalDefinition = {
  name: 'first_use_high_amount',
  summary: 'a high amount from a user, or on a card, without earlier transactions',
  family: 'amount',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atMost('user_tx_established', 0), atLeast('amount_ln_usd', LN_250_USD)),
      strength: graded('amount_ln_usd', [LN_250_USD, 0.8], [LN_5000_USD, 3]),
      detail: (value, { attempt }) => `First purchase: ${price(attempt, value('amount_ln_usd'))}`,
    },
    {
      when: all(isFalse('user_card_seen'), atLeast('user_tx_established', 1), atLeast('amount_ln_usd', LN_500_USD)),
      strength: graded('amount_ln_usd', [LN_500_USD, 0.4], [LN_5000_USD, 1.4]),
      detail: (value, { attempt }) => `First use of this card by this user: ${price(attempt, value('amount_ln_usd'))}`,
    },
  ],
};
