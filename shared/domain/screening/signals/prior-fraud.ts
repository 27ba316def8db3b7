import { all, atLeast } from '../condition';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** One confirmed fraud against at most seven confirmed legitimate attempts: the smoothed share is 8% or more. */
const UNREFUTED_SHARE = 0.08;

export const priorFraud: SignalDefinition = {
  name: 'prior_fraud',
  summary: 'a user with confirmed fraud',
  family: 'reputation',
  applies_to: 'both',
  cases: [
    {
      when: atLeast('user_fraud_labels', 1),
      strength: gradedByFactor('user_fraud_share', [0.01, 0.2], [0.6, 6.5]),
      detail: (value) =>
        `${count(value('user_fraud_labels'), 'confirmed fraud')} by this user; ` +
        `${value('user_legitimate_labels')} confirmed legitimate`,
    },
  ],
  forces_review: all(atLeast('user_fraud_labels', 1), atLeast('user_fraud_share', UNREFUTED_SHARE)),
};
