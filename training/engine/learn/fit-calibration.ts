/** A straight line over log-odds. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** Pulls the line towards the identity with the weight of this many imaginary rows, so a few real rows bend it little. */
const PRIOR_STRENGTH = 10;
const LEAST_SLOPE = 0.2;
const MOST_SLOPE = 3;

/**
 * Platt scaling: the maximum-likelihood line over the forest's log-odds, by Newton's method.
 * It preserves the ranking, because its slope is above 0.
 */
export function fitCalibration(logOdds: ArrayLike<number>, labels: Uint8Array, weights: ArrayLike<number>): Line {
  let slope = 1;
  let intercept = 0;
  for (let round = 0; round < 30; round++) {
    let gSlope = PRIOR_STRENGTH * (slope - 1);
    let gIntercept = PRIOR_STRENGTH * 0.1 * intercept;
    let hSlope = PRIOR_STRENGTH;
    let hBoth = 0;
    let hIntercept = PRIOR_STRENGTH * 0.1;
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
    slope = Math.min(MOST_SLOPE, Math.max(LEAST_SLOPE, slope - stepSlope));
    intercept -= Math.max(-2, Math.min(2, stepIntercept));
    if (Math.abs(stepSlope) + Math.abs(stepIntercept) < 1e-9) break;
  }
  return { slope, intercept };
}
