import type { TrainSettings } from './train-settings';

type LeafPenalty = Pick<TrainSettings, 'lambda_l2'>;

/** Sums of a leaf's rows, and the bounds that monotone ancestors put on its value. */
export interface LeafSums {
  readonly gradient: number;
  readonly hessian: number;
  readonly count: number;
  readonly lower: number;
  readonly upper: number;
}

/** The value that lowers the loss most, by a Newton step, within the bounds that monotone ancestors set. */
export function leafOutput({ gradient, hessian, lower, upper }: LeafSums, { lambda_l2 }: LeafPenalty): number {
  const denominator = hessian + lambda_l2;
  const output = denominator > 0 ? -gradient / denominator : 0;
  return within(output, lower, upper);
}

/** Twice the reduction in loss if a leaf takes that value; for the unconstrained optimum it is G² / (H + λ). */
export function gainOfOutput(
  { gradient, hessian }: Pick<LeafSums, 'gradient' | 'hessian'>,
  { lambda_l2 }: LeafPenalty,
  output: number,
): number {
  return -(2 * gradient * output + (hessian + lambda_l2) * output * output);
}

export function within(value: number, lower: number, upper: number): number {
  if (value < lower) return lower;
  if (value > upper) return upper;
  return value;
}
