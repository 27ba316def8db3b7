import { all, atLeast } from '../condition';
import { amountBasis } from '../features/amount-features';
import { attemptContext } from '../features/feature-table';
import { count, price, times } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

/** In US dollars: ten times a coffee is still lunch. */
const NOTABLE_LN_USD = Math.log(30);

export const amountAnomaly: SignalDefinition = {
  name: 'amount_anomaly',
  summary: "the amount is far above the user's earlier ones",
  family: 'amount',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('user_amount_surprise', 1.8), atLeast('amount_ln_usd', NOTABLE_LN_USD)),
      strength: graded('user_amount_surprise', [1.8, 0.5], [6, 4]),
      detail: (value, facts) => {
        const amount = price(facts.attempt, value('amount_ln_usd'));
        const basis = amountBasis(facts.user, attemptContext(facts));
        if (basis === undefined) return `${amount}: far above this user's usual amount`;
        const factor = times(Math.exp(basis.ln - basis.stats.mean_log));
        return `${amount}: ${factor} this user's usual amount (${count(basis.stats.count, 'transaction')})`;
      },
    },
  ],
};
