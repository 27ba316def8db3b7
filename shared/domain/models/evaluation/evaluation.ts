import type { Decision } from '../../screening/decide';
import type { Point } from './ranking-curve';
import type { ScoreMove } from './score-move';

/** Everything known about how a model performed compared with the champion on the same rows; the source of the report. */
export interface Evaluation {
  readonly format: 1;
  readonly rows: EvaluatedRows;
  readonly champion: ModelEvaluation;
  readonly challenger: ModelEvaluation;
  readonly comparison: Comparison;
  readonly flips: Flips;
  /** Calibration and false alarms; absent from evaluations made before it was measured. */
  readonly harm?: Harm;
  /** How far scores move from the champion's to the challenger's; absent from evaluations made before it was measured. */
  readonly move?: ScoreMove;
}

/** The properties that thresholds rely on, by weight, for both models. */
export interface Harm {
  /** The fraud that either model expected, before signals add theirs: what training fits. And how much there was. */
  readonly expected: { readonly champion: number; readonly challenger: number };
  readonly actual: number;
  /** Share of the legitimate traffic that either would send to review or block, at the default thresholds. */
  readonly honest_stopped: { readonly champion: number; readonly challenger: number };
  readonly fraud_share: number;
}

/** The rows that both models were evaluated on: newer than anything the challenger has learnt from. */
export interface EvaluatedRows {
  readonly from: string;
  readonly to: string;
  readonly fraud: number;
  readonly legitimate: number;
  readonly presumed: number;
  readonly accounts: number;
}

/** How one model performed. Counts are weighted, so that they describe all traffic and not only reviewed cases. */
export interface ModelEvaluation {
  readonly version: string;
  readonly auc: number;
  readonly average_precision: number;
  readonly recall_at_1pct: number;
  readonly recall_at_5pct: number;
  readonly log_loss: number;
  /** Mean distance between the predicted and the actual share of fraud, over bands of equal weight. */
  readonly calibration_error: number;
  readonly roc: readonly Point[];
  readonly precision_recall: readonly Point[];
  /** Per band of five points of the score: the weight of fraud and of everything else. */
  readonly histogram: ReadonlyArray<{ readonly fraud: number; readonly legitimate: number }>;
  readonly calibration: readonly CalibrationBand[];
  readonly thresholds: readonly ThresholdRow[];
}

/** The predicted and the actual share of fraud in a band of rows. */
export interface CalibrationBand {
  readonly weight: number;
  readonly predicted: number;
  readonly observed: number;
}

/** The effect of stopping everything at or above a score. */
export interface ThresholdRow {
  readonly score: number;
  readonly caught: number;
  readonly missed: number;
  readonly false_alarms: number;
  readonly caught_usd: number;
  readonly missed_usd: number;
  readonly false_alarms_usd: number;
}

/** How certain the difference is: paired resamples of the same rows. */
export interface Comparison {
  readonly average_precision_gain: number;
  readonly auc_gain: number;
  /** Share of the resamples in which the challenger's average precision was higher. */
  readonly better_share: number;
  readonly worst_account: AccountGain | null;
  readonly worst_without: AccountGain | null;
}

/** The challenger's gain on an account's rows, or without them. */
export interface AccountGain {
  readonly account_id: string;
  readonly auc_gain: number;
  /** How much of it could be chance with so few labels. */
  readonly allowed_loss: number;
}

/** Attempts whose decision would change. */
export interface Flips {
  readonly table: ReadonlyArray<{
    readonly champion: Decision;
    readonly challenger: Decision;
    readonly fraud: number;
    readonly legitimate: number;
    readonly fraud_usd: number;
    readonly legitimate_usd: number;
  }>;
  readonly furthest: ReadonlyArray<{
    readonly subject_id: string;
    readonly label: 'fraud' | 'legitimate' | 'presumed legitimate';
    readonly champion_score: number;
    readonly challenger_score: number;
    readonly amount_usd: number | null;
  }>;
}
