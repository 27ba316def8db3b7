import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { type TrainedModel, train } from '../trainer/train';
import { isRiskEvidence, slice, type TrainingMatrix } from './training-matrix';

/** A first pass over some of the rows with a few trees is enough to see which features are useful. */
const LOOK_ROWS = 20_000;
export const LOOK_RULE = {
  settings: {
    num_iterations: 30,
    learning_rate: 0.15,
    num_leaves: 24,
    min_data_in_leaf: 20,
    lambda_l2: 5,
    feature_fraction: 0.5,
  },
  /** More features than this cost time in every screening, without a measurable gain. */
  most_features: 48,
  least_share: 0.0005,
} as const;

/** Positions of the features worth training with, in order; ignores rows from `end` on. */
export function strongestFeatures(matrix: TrainingMatrix, end: number, seed: number): number[] {
  const random = seededRandom(seed);
  const all = distinctFeatures(matrix, end);
  // Fraud is rare: the first pass includes all of it.
  const share = LOOK_ROWS / end;
  const rows = Array.from({ length: end }, (_, row) => row).filter(
    (row) => matrix.labels[row] === 1 || share >= 1 || random() < share,
  );
  const look = train(slice(matrix, rows, all), {
    settings: {
      ...LOOK_RULE.settings,
      seed,
      monotone_constraints: all.map((feature) => (isRiskEvidence(matrix.featureNames[feature] as string) ? 1 : 0)),
    },
  });
  const strongest = featureGains(look)
    .filter(({ gain }) => gain >= LOOK_RULE.least_share)
    .slice(0, LOOK_RULE.most_features);
  const names = new Set(strongest.map(({ name }) => name));
  const kept = all.filter((feature) => names.has(matrix.featureNames[feature] as string));
  return kept.length > 0 ? kept : all.slice(0, 1);
}

/**
 * Features that differ from every earlier one in some row: the worst of a single attribute is a copy of that attribute. All are
 * presumed copies of the first, until a row tells them apart: those that it tells apart alike stay copies of each other.
 */
function distinctFeatures({ featureNames, values }: TrainingMatrix, end: number): number[] {
  const width = featureNames.length;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const originals = new Int32Array(width);
  /** Of a feature that became an original: in which row, and whose copy it was presumed to be before. */
  const parted = new Int32Array(width).fill(-1);
  const from = new Int32Array(width);
  for (let row = 0, at = 0; row < end; row++, at += width) {
    for (let feature = 1; feature < width; feature++) {
      const original = originals[feature] as number;
      const value = bits[at + feature] as number;
      if (bits[at + original] === value) continue;
      let first = original + 1;
      while (first < feature && (parted[first] !== at || from[first] !== original || bits[at + first] !== value))
        first++;
      originals[feature] = first;
      parted[first] = at;
      from[first] = original;
    }
  }
  return featureNames.flatMap((_, feature) => (originals[feature] === feature ? [feature] : []));
}

/** Each feature's share of the total gain of all splits, largest first; features that no split uses are left out. */
export function featureGains({ featureNames, trees }: TrainedModel): Array<{ name: string; gain: number }> {
  const gains = new Float64Array(featureNames.length);
  let total = 0;
  for (const tree of trees) {
    tree.features.forEach((feature, node) => {
      const gain = tree.gains[node] as number;
      gains[feature] = (gains[feature] as number) + gain;
      total += gain;
    });
  }
  return featureNames
    .map((name, i) => ({ name, gain: Number(((gains[i] as number) / total).toPrecision(4)) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
}
