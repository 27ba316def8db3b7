/** One part of the score, in log-odds. */
export interface WeightedPart {
  readonly name: string;
  readonly log_odds: number;
}

/**
 * Integer points for each part, in the order given, that add up to exactly `total`: proportional to the
 * log-odds, rounded by largest remainder, ties by name. Every part that raises the score gets at least
 * 1 point while a larger one has a point to spare, so that rounding does not hide anything that fired.
 *
 * `exact` is the unrounded total (`total` is its rounded value). Only if the parts cancel each other out is
 * a share of the total meaningless; then each part is worth `pointsPerLogOdd`, the slope at the base.
 */
export function apportionPoints(
  parts: readonly WeightedPart[],
  exact: number,
  total: number,
  pointsPerLogOdd: number,
): number[] {
  let sum = 0;
  for (const { log_odds } of parts) sum += log_odds;
  const slope = Math.abs(sum) < 1e-6 ? pointsPerLogOdd : exact / sum;
  const shares = parts.map(({ name, log_odds }, index) => {
    const share = log_odds * slope;
    return { name, index, floor: Math.floor(share), remainder: share - Math.floor(share) };
  });
  let left = total;
  for (const { floor } of shares) left -= floor;
  const points = shares.map(({ floor }) => floor);
  // Between 0 and parts.length points are left; the modulus only guards against rounding errors in the last bit.
  shares.sort((a, b) => b.remainder - a.remainder || (a.name < b.name ? -1 : 1));
  for (let k = 0; left > 0 && shares.length > 0; k++, left--) {
    const { index } = shares[k % shares.length] as (typeof shares)[number];
    points[index] = (points[index] as number) + 1;
  }
  return lendToTheSmall(parts, points);
}

/** Moves single points from the largest part to parts that raise the score but were rounded to zero. */
function lendToTheSmall(parts: readonly WeightedPart[], points: number[]): number[] {
  for (let i = 0; i < parts.length; i++) {
    if ((parts[i] as WeightedPart).log_odds <= 0 || (points[i] as number) > 0) continue;
    let richest = -1;
    for (let j = 0; j < parts.length; j++) {
      if ((points[j] as number) > 1 && (richest < 0 || (points[j] as number) > (points[richest] as number)))
        richest = j;
    }
    if (richest < 0) break;
    points[richest] = (points[richest] as number) - 1;
    points[i] = (points[i] as number) + 1;
  }
  return points;
}
