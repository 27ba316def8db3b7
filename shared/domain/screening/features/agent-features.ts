import { ENTITY_FEATURES } from './entity-features';
import { type AttemptFeature, type EntityFeature, flag } from './feature-table';
import { either } from './feature-words';

const { age_days, burst_10m, fraud_labels, fraud_rate } = ENTITY_FEATURES;

/** What an agent has done; it shops for many people, so that numbers of transactions alone say nothing. */
export const AGENT_FEATURES = { age_days, burst_10m, fraud_labels, fraud_rate } as const satisfies Record<
  string,
  EntityFeature
>;

/** Whether software acts for the user. */
export const AGENT_IDENTITY_FEATURES = {
  agent_verified: {
    description: '1 when an agent that proved its identity acts for the user, 0 when it did not (missing: no agent)',
    words: either('agent', 'verified agent', 'agent of unproven identity'),
    explains: 'unverified_agent',
    read: ({ facts: { agent_verified } }) => flag(agent_verified),
  },
} as const satisfies Record<string, AttemptFeature>;
