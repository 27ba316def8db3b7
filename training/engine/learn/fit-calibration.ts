export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** The output of a forest trained for log loss, unchanged: where the line of a first model starts. */
const IDENTITY: Line = { slope: 1, intercept: 0 };
export const CALIBRATION_RULE = {
  /** The slope is pulled towards that of the model before with the weight of this many imaginary rows: a few real rows bend it little. */
  slope_strength: 10,
  /**
   * And the intercept with the weight of this many frauds; without a model before, of one. Frauds come in bursts: the newest
   * fifth has twice as many as usual in one training and half as many in the next, and scores must not follow.
   */
  intercept_strength: 30,
  first_intercept_strength: 1,
  least_slope: 0.2,
  most_slope: 3,
} as const;

/**
 * Platt scaling: the maximum-likelihood line over the forest's log-odds, by Newton's method.
 * It preserves the ranking, because its slope is above 0.
 */
export function fitCalibration(
  logOdds: ArrayLike<number>,
  labels: Uint8Array,
  weights: ArrayLike<number>,
  parent?: Line,
): Line {
  const { slope_strength, least_slope, most_slope } = CALIBRATION_RULE;
  const { slope: usualSlope, intercept: usualIntercept } = parent ?? IDENTITY;
  const strength = CALIBRATION_RULE[parent === undefined ? 'first_intercept_strength' : 'intercept_strength'];
  let slope = usualSlope;
  let intercept = usualIntercept;
  for (let round = 0; round < 30; round++) {
    let gSlope = slope_strength * (slope - usualSlope);
    let gIntercept = strength * (intercept - usualIntercept);
    let hSlope = slope_strength;
    let hBoth = 0;
    let hIntercept = strength;
    for (let i = 0; i < labels.length; i++) {
      const x = logOdds[i] as number;
      const chance = 1 / (1 + Math.exp(-slope * x - intercept));
      const gradient = (chance - (labels[i] as number)) * (weights[i] as number);
      const hessian = chance * (1 - chance) * (weights[i] as number);
      gSlope += gradient * x;
      gIntercept += gradient;
      hSlope += hessian * x * x;
      hBoth += hessian * x;
      hIntercept += hessian;
    }
    const determinant = hSlope * hIntercept - hBoth * hBoth;
    const stepSlope = (hIntercept * gSlope - hBoth * gIntercept) / determinant;
    const stepIntercept = (hSlope * gIntercept - hBoth * gSlope) / determinant;
    if (!Number.isFinite(stepSlope) || !Number.isFinite(stepIntercept)) break;
    slope = Math.min(most_slope, Math.max(least_slope, slope - stepSlope));
    intercept -= Math.max(-2, Math.min(2, stepIntercept));
    if (Math.abs(stepSlope) + Math.abs(stepIntercept) < 1e-9) break;
  }
  return { slope, intercept };
}
