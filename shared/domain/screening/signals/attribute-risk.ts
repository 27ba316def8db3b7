import type { EntityHistory } from '../../entities/entity-history';
import { all, any, atLeast } from '../condition';
import { smoothedShare } from '../features/entity-features';
import type { AttributeFacts, ScreeningFacts } from '../screening-facts';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** One confirmed fraud against at most seven confirmed legitimate attempts: the smoothed share is 8% or more. */
const UNREFUTED_SHARE = 0.08;

const share = ({ labels }: EntityHistory): number => smoothedShare(labels.fraud, labels.fraud + labels.legitimate);

/** The attribute with the worst labels, for the sentence. */
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
  applies_to: 'both',
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
