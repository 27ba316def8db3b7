/** One part of the score, in log-odds. */
export interface WeightedPart {
  readonly name: string;
  readonly log_odds: number;
}

/**
 * Integer points for each part, in the order given, that add up to `total` exactly: proportional to the
 * log-odds, rounded by largest remainder, ties by name. Every part that raises the score gets 1 point at
 * the least while a larger one has a point to spare, so that nothing that fired is hidden by rounding.
 *
 * `exact` is the unrounded total (`total` = round of it). Only where the parts cancel each other out does
 * a share of the total mean nothing; there each part is worth `pointsPerLogOdd`, the slope at the base.
 */
export function apportionPoints(
  parts: readonly WeightedPart[],
  exact: number,
  total: number,
  pointsPerLogOdd: number,
): number[] {
  const sum = parts.reduce((acc, { log_odds }) => acc + log_odds, 0);
  const slope = Math.abs(sum) < 1e-6 ? pointsPerLogOdd : exact / sum;
  const shares = parts.map(({ log_odds }) => log_odds * slope);
  const points = shares.map(Math.floor);
  const order = parts.map((_, i) => i).sort((a, b) => remainder(b) - remainder(a) || byName(a, b));

  function remainder(i: number): number {
    return (shares[i] as number) - (points[i] as number);
  }
  function byName(a: number, b: number): number {
    return (parts[a] as WeightedPart).name < (parts[b] as WeightedPart).name ? -1 : 1;
  }

  const floors = points.slice();
  let left = total - floors.reduce((acc, value) => acc + value, 0);
  for (let k = 0; left !== 0 && order.length > 0; k = (k + 1) % order.length) {
    const i = order[left > 0 ? k : order.length - 1 - k] as number;
    floors[i] = (floors[i] as number) + Math.sign(left);
    left -= Math.sign(left);
  }
  return lendToTheSmall(parts, floors);
}

/** Moves single points from the largest part to those that raise the score and were rounded to nothing. */
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
