import fc from 'fast-check';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../../shared/domain/models/training-row';
import { packObserved } from '../../../../shared/domain/screening/attributes/observed-codec';
import { extractFeatures, FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { arbitraryFacts } from '../../screening/arbitrary-facts';

const DAY_MS = 86_400_000;
export const START_MS = Date.parse('2026-01-01T00:00:00Z');

export type RuledRow = TrainingRow & { readonly risk: number };

/**
 * Rows from arbitrary facts, labelled by a rule of our own: fraud is what is paid high where there was fraud before, and
 * what comes in a red box; and nearly always so.
 */
export function labelledByARule(count: number, seed: number): RuledRow[] {
  const random = seededRandom(seed);
  return fc.sample(arbitraryFacts, { numRuns: count, seed }).map((facts, i) => {
    const vector = extractFeatures(facts);
    const featureValue = (name: string) =>
      vector[FEATURE_NAMES.indexOf(name as (typeof FEATURE_NAMES)[number])] as number;
    const red = random() < 0.1;
    const risk =
      (featureValue('user_fraud_labels') >= 1 ? 3 : 0) +
      (featureValue('amount_ln_usd') > 6 ? 1.5 : 0) +
      (red ? 3 : 0) -
      4;
    return {
      vector: packVector(vector),
      observed: packObserved([{ name: 'attributes.box', bucket: red ? 7 : 8, number: Number.NaN }]),
      label: random() < 1 / (1 + Math.exp(-risk)) ? 1 : 0,
      risk,
      screened_at_ms: START_MS + i * 60_000,
      labeled_at_ms: START_MS + i * 60_000 + DAY_MS,
    };
  });
}
