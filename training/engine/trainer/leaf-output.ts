export interface LeafPenalty {
  readonly lambda_l1: number;
  readonly lambda_l2: number;
}

/** Sums of a leaf's rows, and the bounds that monotone ancestors put on its value. */
export interface LeafSums {
  readonly gradient: number;
  readonly hessian: number;
  readonly count: number;
  readonly lower: number;
  readonly upper: number;
}

/** The value that lowers the loss most, by a Newton step, within the bounds that monotone ancestors set. */
export function leafOutput(
  { gradient, hessian, lower, upper }: LeafSums,
  { lambda_l1, lambda_l2 }: LeafPenalty,
): number {
  const denominator = hessian + lambda_l2;
  const output = denominator > 0 ? -shrunk(gradient, lambda_l1) / denominator : 0;
  return within(output, lower, upper);
}

/** Twice the reduction in loss if a leaf takes that value; for the unconstrained optimum it is G² / (H + λ). */
export function gainOfOutput(
  gradient: number,
  hessian: number,
  { lambda_l1, lambda_l2 }: LeafPenalty,
  output: number,
): number {
  return -(2 * shrunk(gradient, lambda_l1) * output + (hessian + lambda_l2) * output * output);
}

/** L1: a gradient sum within ±λ counts as zero. */
export function shrunk(gradient: number, lambda: number): number {
  if (gradient > lambda) return gradient - lambda;
  return gradient < -lambda ? gradient + lambda : 0;
}

export function within(value: number, lower: number, upper: number): number {
  if (value < lower) return lower;
  if (value > upper) return upper;
  return value;
}
