/** The share of a model's holdout in each band of ten points, 0–9 to 90–100; empty or absent if unknown. */
export type ScoreShares = readonly number[] | undefined;

const BANDS = 10;

/**
 * Which tenth of the training scores a score falls into, 1 to 10. Within a band, `fraction` (0 to 1, evenly spread)
 * decides, so that scores distributed as in training fill all tenths equally, however uneven the bands are: drift is
 * any deviation from that, and a dashboard can compute it without knowing the model.
 */
export function scoreDecile(shares: ScoreShares, score: number, fraction: number): number | undefined {
  if (shares?.length !== BANDS) return undefined;
  const band = Math.min(BANDS - 1, Math.floor(score / BANDS));
  let all = 0;
  let below = 0;
  for (let at = 0; at < BANDS; at++) {
    const share = shares[at] as number;
    all += share;
    if (at < band) below += share;
  }
  if (!(all > 0)) return undefined;
  const quantile = (below + fraction * (shares[band] as number)) / all;
  return Math.min(10, 1 + Math.floor(10 * quantile));
}
