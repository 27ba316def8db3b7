import { all, atMost } from '../condition';
import { duration } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** A guest checkout signs up and pays at once, honestly: alone this ends at about 50, below review. */
export const rapidSignupPurchase: SignalDefinition = {
  name: 'rapid_signup_purchase',
  summary: 'a purchase within an hour of signing up; the sooner, the riskier',
  family: 'account',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atMost('since_signup_s', 3600), atMost('user_tx_established', 0)),
      strength: gradedByFactor('since_signup_s', [5, 6], [3600, 0.5]),
      detail: (value) => `Purchase ${duration(value('since_signup_s'))} after signing up`,
    },
  ],
};
