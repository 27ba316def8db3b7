import { all, atLeast } from '../condition';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** One confirmed fraud against at most seven confirmed legitimate attempts: the smoothed share is 8% or more. */
const UNREFUTED_SHARE = 0.08;

export const knownFraudDevice: SignalDefinition = {
  name: 'known_fraud_device',
  summary: 'a device with confirmed fraud',
  family: 'reputation',
  applies_to: 'both',
  cases: [
    {
      when: atLeast('device_fraud_labels', 1),
      strength: gradedByFactor('device_fraud_share', [0.01, 0.2], [0.6, 6.5]),
      detail: (value) =>
        `${count(value('device_fraud_labels'), 'confirmed fraud')} on this device; ` +
        `${value('device_legitimate_labels')} confirmed legitimate`,
    },
  ],
  forces_review: all(atLeast('device_fraud_labels', 1), atLeast('device_fraud_share', UNREFUTED_SHARE)),
};
