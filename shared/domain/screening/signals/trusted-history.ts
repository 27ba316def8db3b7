import { all, atLeast, atMost, isFalse, not } from '../condition';
import { deviceIsNewlyEarned } from '../device-is-new';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** The last day does not count, so that a burst cannot earn trust for itself. */
const longAndClean = all(
  atLeast('user_age_days', 30),
  atLeast('user_tx_established', 10),
  atMost('user_fraud_labels', 0),
  atMost('user_flagged_share', 0.1),
  not(isFalse('user_device_seen')),
  not(deviceIsNewlyEarned),
);

/** Lowers the score; never listed in `signals`, which are risks. */
export const trustedHistory: SignalDefinition = {
  name: 'trusted_history',
  summary: 'a long, clean history on a known device, even better with confirmed legitimate attempts',
  family: 'trust',
  applies_to: 'both',
  cases: [
    {
      when: all(longAndClean, atLeast('user_legitimate_labels', 1)),
      strength: gradedByFactor('user_legitimate_labels', [1, -1], [20, -2.2]),
      detail: (value) =>
        `${count(value('user_tx_established'), 'earlier transaction')} over ${count(value('user_age_days'), 'day')}, ` +
        `${value('user_legitimate_labels')} confirmed legitimate, no fraud`,
    },
    {
      when: longAndClean,
      strength: gradedByFactor('user_tx_established', [10, -0.4], [200, -1]),
      detail: (value) =>
        `${count(value('user_tx_established'), 'earlier transaction')} over ${count(value('user_age_days'), 'day')}, no fraud`,
    },
  ],
};
