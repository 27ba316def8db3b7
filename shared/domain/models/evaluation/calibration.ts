import type { ModelMetrics } from '../model-artefact';

/** Rows with their predicted and actual outcomes. */
export interface ScoredRows {
  readonly scores: ArrayLike<number>;
  readonly probabilities: ArrayLike<number>;
  /** 1 is fraud. */
  readonly labels: Uint8Array;
}

// LightGBM's own limit: being certain and wrong costs 34.5, not infinity.
const LEAST = 1e-15;

/** Mean −ln of the probability given to the actual outcome; without weights, each row counts as one. */
export function logLoss(probabilities: ArrayLike<number>, labels: Uint8Array, weights?: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < labels.length; i++) {
    const given = probabilities[i] as number;
    const weight = weights ? (weights[i] as number) : 1;
    sum -= weight * Math.log(Math.max(LEAST, labels[i] === 1 ? given : 1 - given));
    total += weight;
  }
  return sum / total;
}

/** Predictions against outcomes, by scores between rising `edges`; scores outside them are not counted. */
export function calibrationTable(
  { scores, probabilities, labels }: ScoredRows,
  edges: readonly number[],
): ModelMetrics['calibration'] {
  const bands = edges.slice(1).map((to, i) => ({ from: edges[i] as number, to, rows: 0, fraud: 0, sum: 0 }));
  const last = bands.length - 1;
  for (let i = 0; i < labels.length; i++) {
    const score = scores[i] as number;
    const band = bands.find(({ from, to }, at) => score >= from && (score < to || (at === last && score === to)));
    if (band === undefined) continue;
    band.rows++;
    band.fraud += labels[i] as number;
    band.sum += probabilities[i] as number;
  }
  return bands.map(({ from, to, rows, fraud, sum }) => ({
    ...{ from, to, rows, fraud },
    predicted: rows === 0 ? null : sum / rows,
    observed: rows === 0 ? null : fraud / rows,
  }));
}

/** Share of scores in each band of ten points: 0–9, 10–19, … 90–100. */
export function scoreShares(scores: ArrayLike<number>): number[] {
  const shares = new Array<number>(10).fill(0);
  for (let i = 0; i < scores.length; i++) {
    const band = Math.min(9, Math.floor((scores[i] as number) / 10));
    shares[band] = (shares[band] as number) + 1 / scores.length;
  }
  return shares;
}
