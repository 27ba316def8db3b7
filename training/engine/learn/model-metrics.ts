import type { ModelMetrics } from '../../../shared/domain/models/model-artefact';
import { auc, averagePrecision, calibrationTable, logLoss, recallAtFalsePositiveRate } from '../trainer/metrics';

/** Bands of the published calibration, in score points; 60 and 85 are where review and block begin. */
export const SCORE_BANDS = [0, 5, 10, 20, 30, 40, 50, 60, 70, 85, 95, 100] as const;

/** Rows with what was said of them and what came of it. */
export interface ScoredRows {
  readonly scores: ArrayLike<number>;
  readonly probabilities: ArrayLike<number>;
  readonly labels: Uint8Array;
}

/** All figures of one model on one set of rows. Ranking is by the integer score, as callers see it. */
export function modelMetrics({ scores, probabilities, labels }: ScoredRows): ModelMetrics {
  return {
    rows: labels.length,
    fraud: labels.reduce((sum, label) => sum + label, 0),
    auc: auc(scores, labels),
    average_precision: averagePrecision(scores, labels),
    recall_at_1pct: recallAtFalsePositiveRate(scores, labels, 0.01),
    recall_at_5pct: recallAtFalsePositiveRate(scores, labels, 0.05),
    log_loss: logLoss(probabilities, labels),
    calibration: calibrationTable(scores, labels, SCORE_BANDS).map((band, i) => ({
      from: band.from,
      to: band.to,
      rows: band.count,
      fraud: band.positives,
      predicted: band.count === 0 ? null : meanProbability(i, scores, probabilities),
      observed: band.count === 0 ? null : band.observed,
    })),
  };
}

function meanProbability(band: number, scores: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  const [from, to] = [SCORE_BANDS[band] as number, SCORE_BANDS[band + 1] as number];
  const isLast = band === SCORE_BANDS.length - 2;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (score < from || (isLast ? score > to : score >= to)) continue;
    sum += probabilities[i] as number;
    count++;
  }
  return sum / count;
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
