import { logLoss } from './calibration';
import type { CalibrationBand, ModelEvaluation, ThresholdRow } from './evaluation';
import {
  areaUnderRoc,
  averagePrecision,
  precisionRecallPoints,
  type RankedRows,
  rankingCurve,
  rankRows,
  recallAt,
  rocPoints,
} from './ranking-curve';

/** A model's scores of the rows, with their actual outcomes. */
export interface EvaluatedScores extends Omit<RankedRows, 'scores' | 'weights'> {
  readonly weights: Float64Array;
  /** The unrounded probability of fraud, by which rows are ranked. */
  readonly probabilities: Float64Array;
  readonly riskScores: Uint8Array;
  /** NaN if there is no amount. */
  readonly amountsUsd: Float64Array;
}

const BAND_POINTS = 5;
const CALIBRATION_BANDS = 10;

/** All metrics of one model on the rows. */
export function modelEvaluation(version: string, rows: EvaluatedScores): ModelEvaluation {
  const ranked = { scores: rows.probabilities, labels: rows.labels, weights: rows.weights };
  const curve = rankingCurve(ranked);
  const calibration = calibrationBands(rows);
  return {
    version,
    auc: areaUnderRoc(curve),
    average_precision: averagePrecision(curve),
    recall_at_1pct: recallAt(curve, 0.01),
    recall_at_5pct: recallAt(curve, 0.05),
    log_loss: logLoss(rows.probabilities, rows.labels, rows.weights),
    calibration_error: calibrationError(calibration),
    roc: rocPoints(curve),
    precision_recall: precisionRecallPoints(curve),
    histogram: histogram(rows),
    calibration,
    thresholds: thresholdRows(rows),
  };
}

/** The fraud that a model expected of all rows, and how much there was, by weight. */
export const fraudOf = ({ calibration }: Pick<ModelEvaluation, 'calibration'>) => ({
  expected: calibration.reduce((sum, { weight, predicted }) => sum + weight * predicted, 0),
  actual: calibration.reduce((sum, { weight, observed }) => sum + weight * observed, 0),
});

function calibrationBands({ probabilities, labels, weights }: EvaluatedScores): CalibrationBand[] {
  const order = rankRows(probabilities).reverse();
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const bands: CalibrationBand[] = [];
  let [weight, promised, fraud] = [0, 0, 0];
  order.forEach((row, at) => {
    const w = weights[row] as number;
    weight += w;
    promised += w * (probabilities[row] as number);
    fraud += w * (labels[row] as number);
    if (weight < total / CALIBRATION_BANDS && at < order.length - 1) return;
    if (weight > 0) bands.push({ weight, predicted: promised / weight, observed: fraud / weight });
    [weight, promised, fraud] = [0, 0, 0];
  });
  return bands;
}

function calibrationError(bands: readonly CalibrationBand[]): number {
  const total = bands.reduce((sum, { weight }) => sum + weight, 0);
  return (
    bands.reduce((sum, { weight, predicted, observed }) => sum + weight * Math.abs(predicted - observed), 0) / total
  );
}

function histogram({ riskScores, labels, weights }: EvaluatedScores): Array<{ fraud: number; legitimate: number }> {
  const bands = Array.from({ length: 100 / BAND_POINTS }, () => ({ fraud: 0, legitimate: 0 }));
  riskScores.forEach((score, i) => {
    const band = bands[Math.min(bands.length - 1, Math.floor(score / BAND_POINTS))] as (typeof bands)[number];
    band[labels[i] === 1 ? 'fraud' : 'legitimate'] += weights[i] as number;
  });
  return bands;
}

function thresholdRows({ riskScores, labels, weights, amountsUsd }: EvaluatedScores): ThresholdRow[] {
  const table: ThresholdRow[] = [];
  for (let score = BAND_POINTS; score < 100; score += BAND_POINTS) {
    const row = { caught: 0, missed: 0, false_alarms: 0, caught_usd: 0, missed_usd: 0, false_alarms_usd: 0 };
    riskScores.forEach((given, i) => {
      const isStopped = given >= score;
      if (labels[i] !== 1 && !isStopped) return;
      const what = labels[i] !== 1 ? 'false_alarms' : isStopped ? 'caught' : 'missed';
      const weight = weights[i] as number;
      row[what] += weight;
      const amount = amountsUsd[i] as number;
      if (!Number.isNaN(amount)) row[`${what}_usd`] += weight * amount;
    });
    table.push({ score, ...row });
  }
  return table;
}
