import type { ModelMetrics } from '../model-artefact';
import { calibrationTable, logLoss, type ScoredRows } from './calibration';
import { areaUnderRoc, averagePrecision, rankingCurve, recallAt } from './ranking-curve';

/** Bands of the published calibration, in score points; 60 and 85 are where review and block begin. */
export const SCORE_BANDS = [0, 5, 10, 20, 30, 40, 50, 60, 70, 85, 95, 100] as const;

/** All metrics of one model on one set of rows. Ranking is by the integer score, as callers see it. */
export function modelMetrics(rows: ScoredRows): ModelMetrics {
  const { labels, probabilities } = rows;
  const curve = rankingCurve({ scores: rows.scores, labels });
  return {
    rows: labels.length,
    fraud: labels.reduce((sum, label) => sum + label, 0),
    auc: areaUnderRoc(curve),
    average_precision: averagePrecision(curve),
    recall_at_1pct: recallAt(curve, 0.01),
    recall_at_5pct: recallAt(curve, 0.05),
    log_loss: logLoss(probabilities, labels),
    calibration: calibrationTable(rows, SCORE_BANDS),
  };
}
