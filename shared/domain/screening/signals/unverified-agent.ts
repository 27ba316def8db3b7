import { all, atLeast, isFalse } from '../condition';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

/** Names nobody: what an unverified agent calls itself is for the merchant's records, not for a sentence of ours. */
export const unverifiedAgent: SignalDefinition = {
  name: 'unverified_agent',
  summary: 'software acts for the user without proving whose it is',
  family: 'account',
  applies_to: 'both',
  cases: [
    {
      when: isFalse('agent_verified'),
      strength: 1.2,
      detail: () => 'Made by an automated agent that did not prove its identity',
    },
    {
      when: all(isFalse('agent_verified'), atLeast('agent_fraud_labels', 1)),
      strength: graded('agent_fraud_rate', [0.02, 1.6], [0.3, 4]),
      detail: (value) =>
        `Made by an automated agent that did not prove its identity; under this name: ${count(value('agent_fraud_labels'), 'confirmed fraud')}`,
    },
  ],
};
