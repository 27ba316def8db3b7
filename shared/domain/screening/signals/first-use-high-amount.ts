import { all, atLeast, atMost, isFalse } from '../condition';
import { price } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

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
