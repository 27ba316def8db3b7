import { all, atLeast, atMost, not } from '../condition';
import { price } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

const LN_10K_USD = Math.log(10_000);
const LN_100K_USD = Math.log(100_000);

/** Nothing known makes the amount usual: not the user's own habit, nor the merchant's, terminal's or category's. */
const isUnheardOf = all(atLeast('user_tx_established', 0), not(atMost('amount_least_surprise', 3)));

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
      when: all(atLeast('amount_ln_usd', LN_10K_USD), isUnheardOf),
      strength: graded('amount_ln_usd', [LN_10K_USD, 3.2], [LN_100K_USD, 7.5]),
      detail: (value, { attempt }) => {
        const amount = price(attempt, value('amount_ln_usd'));
        return value('user_tx_established') > 0
          ? `${amount}: far beyond anything in this user's history`
          : `${amount} from a user without comparable purchases`;
      },
    },
  ],
  forces_review: all(atLeast('amount_ln_usd', LN_100K_USD), isUnheardOf),
};
