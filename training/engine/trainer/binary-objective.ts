import type { TrainingData } from './training-data';

/** The loss that training minimizes: the weighted log loss of a score in log-odds. */
export interface BinaryObjective {
  /** Log-odds of the weighted share of ones: where boosting starts. */
  readonly startScore: number;
  /** First and second derivative of each row's loss at its score. */
  derive(scores: Float64Array, gradients: Float64Array, hessians: Float64Array): void;
}

/** The objective of these rows; a row's weight is its own times `scale_pos_weight` where it is a one. */
export function binaryObjective({ labels, weights }: TrainingData, scalePosWeight: number): BinaryObjective {
  const rowWeights = Float64Array.from(labels, (label, i) => (weights?.[i] ?? 1) * (label === 1 ? scalePosWeight : 1));
  let total = 0;
  let ones = 0;
  for (let i = 0; i < labels.length; i++) {
    total += rowWeights[i] as number;
    if (labels[i] === 1) ones += rowWeights[i] as number;
  }
  // If all rows are of one class, the next might still be of the other: half a row of doubt instead of ±∞.
  const doubt = 0.5 / Math.max(1, labels.length);
  const share = total > 0 ? Math.min(1 - doubt, Math.max(doubt, ones / total)) : 0.5;
  return {
    startScore: Math.log(share / (1 - share)),
    derive(scores, gradients, hessians) {
      for (let i = 0; i < labels.length; i++) {
        const chance = 1 / (1 + Math.exp(-(scores[i] as number)));
        const weight = rowWeights[i] as number;
        gradients[i] = (chance - (labels[i] as number)) * weight;
        hessians[i] = chance * (1 - chance) * weight;
      }
    },
  };
}
