import { atLeast } from '../condition';
import { count, percent } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** Graded by the share of all attempts: one fraud among a carrier's thousands says nothing about the next attempt. */
export const knownFraudIp: SignalDefinition = {
  name: 'known_fraud_ip',
  summary: 'an IP address with confirmed fraud',
  family: 'reputation',
  applies_to: 'both',
  cases: [
    {
      when: atLeast('ip_fraud_labels', 1),
      strength: gradedByFactor('ip_fraud_rate', [0.004, 0.3], [0.3, 4]),
      detail: (value) =>
        `${count(value('ip_fraud_labels'), 'confirmed fraud')} from this IP address, ` +
        `about ${percent(value('ip_fraud_rate'))} of its activity`,
    },
  ],
};
