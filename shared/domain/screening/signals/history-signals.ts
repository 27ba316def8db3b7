import type { EntityHistory } from '../../entities/entity-history';
import { smoothedShare } from '../features/entity-features';
import type { AttributeFacts, ScreeningFacts } from '../screening-facts';
import { count, percent } from '../sentence';
import {
  all,
  any,
  atLeast,
  atMost,
  deviceIsNewlyEarned,
  graded,
  gradedByFactor,
  isFalse,
  not,
  type SignalDefinition,
} from '../signal-definition';

/** One confirmed fraud against at most seven confirmed legitimate attempts: the smoothed share is 8% or more. */
export const UNREFUTED_SHARE = 0.08;

export const priorFraud: SignalDefinition = {
  name: 'prior_fraud',
  summary: 'a user with confirmed fraud',
  family: 'reputation',
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

/** The definition of a repeat: shared/domain/entities/stopped-mark.ts. */
export const repeatsStoppedAttempt: SignalDefinition = {
  name: 'repeats_stopped_attempt',
  summary: 'the user tried this before and was stopped; never scored lower than the stopped attempt',
  family: 'reputation',
  cases: [
    {
      when: atLeast('repeats_stopped_score', 1),
      strength: 0.3,
      detail: (value) =>
        `Repeats an attempt of this user that was stopped with a score of ${value('repeats_stopped_score')}`,
    },
  ],
  lifts_to: 'repeats_stopped_score',
};

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

const share = ({ labels }: EntityHistory): number => smoothedShare(labels.fraud, labels.fraud + labels.legitimate);

function worst(facts: ScreeningFacts): string {
  let found: (AttributeFacts & { readonly history: EntityHistory }) | undefined;
  for (const { key, history } of facts.attributes) {
    if (history !== undefined && (found === undefined || share(history) > share(found.history)))
      found = { key, history };
  }
  if (found === undefined) return 'A tracked attribute has a bad history';
  const { fraud, legitimate } = found.history.labels;
  return `${count(fraud, 'confirmed fraud')} with this ${found.key}; ${legitimate} confirmed legitimate`;
}

/**
 * A card, an email or a phone belongs to one person; a merchant or a category always has some fraud. If every
 * payment has a label, a quarter of honest users have one fraud in a hundred: hence the low start.
 */
export const attributeRisk: SignalDefinition = {
  name: 'attribute_risk',
  summary: 'a tracked attribute value (a card, a merchant, an email address) with a bad history',
  family: 'reputation',
  cases: [
    {
      when: atLeast('attribute_personal_fraud_labels', 1),
      strength: gradedByFactor('attribute_fraud_share', [0.01, 0.2], [0.6, 6.5]),
      detail: (_, facts) => worst(facts),
    },
    {
      when: all(atLeast('attribute_fraud_labels', 2), atLeast('attribute_fraud_share', 0.05)),
      strength: gradedByFactor('attribute_fraud_share', [0.05, 1.2], [0.4, 5]),
      detail: (_, facts) => worst(facts),
    },
  ],
  forces_review: any(
    atLeast('card_fingerprint_fraud_share', UNREFUTED_SHARE),
    atLeast('email_fraud_share', UNREFUTED_SHARE),
    atLeast('phone_fraud_share', UNREFUTED_SHARE),
  ),
};

/** Names nobody: the name that an unverified agent claims is for the merchant's records, not for our sentence. */
export const unverifiedAgent: SignalDefinition = {
  name: 'unverified_agent',
  summary: 'software acts for the user without proving whose it is',
  family: 'account',
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

export const unusualHour: SignalDefinition = {
  name: 'unusual_hour',
  summary: 'a time of day when the user is rarely active',
  family: 'habit',
  cases: [
    {
      when: atMost('user_hour_share', 0.02),
      strength: graded('user_hour_share', [0, 0.8], [0.02, 0.4]),
      detail: (value) =>
        `${Math.floor(value('hour_utc'))}:00 UTC, when ${percent(value('user_hour_share'))} of this user's activity happens`,
    },
  ],
};
