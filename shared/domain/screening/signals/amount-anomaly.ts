import { all, atLeast } from '../condition';
import { amountBasis } from '../features/amount-features';
import { attemptContext } from '../features/feature-table';
import type { ScreeningFacts } from '../screening-facts';
import { count, price, times } from '../sentence';
import type { FeatureValues, SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

/** In US dollars: ten times a coffee is still lunch. */
const NOTABLE_LN_USD = Math.log(30);
/**
 * Standard deviations. After a dozen purchases of about the same amount, 6.5 is some fifty times of it; after three, or
 * with amounts that vary a lot, a few hundred times.
 */
const UNHEARD_OF = 6.5;
/** The amounts of three purchases or more, all older than a day: a thief's first small ones are not a habit yet. */
const HABIT = 3;

/** Nothing makes it usual: neither the user's own habit nor the merchant, terminal or category (from 1,000 US dollars). */
const isUnheardOf = all(
  atLeast('user_amount_surprise', UNHEARD_OF),
  atLeast('amount_least_surprise', UNHEARD_OF),
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
      strength: graded('user_amount_surprise', [UNHEARD_OF, 4.3], [10, 6]),
      detail: comparedWithUsual,
    },
  ],
  // Anyone who has the user's session has the user's device, address and trust: what is left to see is the amount.
  forces_review: isUnheardOf,
};

function comparedWithUsual(value: FeatureValues, facts: ScreeningFacts): string {
  const amount = price(facts.attempt, value('amount_ln_usd'));
  const basis = amountBasis(facts.user, attemptContext(facts));
  if (basis === undefined) return `${amount}: far above this user's usual amount`;
  const factor = times(Math.exp(basis.ln - basis.stats.mean_log));
  return `${amount}: ${factor} this user's usual amount (${count(basis.stats.count, 'transaction')})`;
}
