import type { Decision } from '../../screening/decide';
import type { Point } from './ranking-curve';

/** Everything that is known about how a model did beside the champion on the same rows: the report is drawn from it. */
export interface Evaluation {
  readonly format: 1;
  readonly rows: EvaluatedRows;
  readonly champion: ModelFigures;
  readonly challenger: ModelFigures;
  readonly comparison: Comparison;
  readonly flips: Flips;
}

/** The rows that both models were judged on: newer than anything the challenger had learnt from. */
export interface EvaluatedRows {
  readonly from: string;
  readonly to: string;
  /** Labels that people gave. */
  readonly fraud: number;
  readonly legitimate: number;
  /** Sampled screenings that nobody objected to, each standing for many. */
  readonly presumed: number;
  readonly accounts: number;
}

/** What one model did. Counts are weighted, so that they speak of all traffic and not only of what was reviewed. */
export interface ModelFigures {
  readonly version: string;
  readonly auc: number;
  readonly average_precision: number;
  readonly recall_at_1pct: number;
  readonly recall_at_5pct: number;
  readonly log_loss: number;
  /** Mean distance between the promised and the actual share of fraud, over bands of equal weight. */
  readonly calibration_error: number;
  readonly roc: readonly Point[];
  readonly precision_recall: readonly Point[];
  /** Per band of five points of the score: how much fraud, how much else. */
  readonly histogram: ReadonlyArray<{ readonly fraud: number; readonly legitimate: number }>;
  readonly calibration: readonly CalibrationBand[];
  readonly thresholds: readonly ThresholdRow[];
}

/** What a band of rows was promised and what came of it. */
export interface CalibrationBand {
  readonly weight: number;
  readonly predicted: number;
  readonly observed: number;
}

/** What stopping everything from a score on would have meant. */
export interface ThresholdRow {
  readonly score: number;
  readonly caught: number;
  readonly missed: number;
  readonly false_alarms: number;
  /** In US dollars. */
  readonly caught_usd: number;
  readonly missed_usd: number;
  readonly false_alarms_usd: number;
}

/** How sure the difference is: paired resamples of the same rows. */
export interface Comparison {
  readonly average_precision_gain: number;
  readonly auc_gain: number;
  /** Share of the resamples in which the challenger's average precision was higher. */
  readonly better_share: number;
  /** The account, of those with enough rows, that the challenger serves worst compared with the champion. */
  readonly worst_account_auc_gain: number | null;
}

/** Whose decision would change. */
export interface Flips {
  readonly table: ReadonlyArray<{
    readonly champion: Decision;
    readonly challenger: Decision;
    readonly fraud: number;
    readonly legitimate: number;
    readonly fraud_usd: number;
    readonly legitimate_usd: number;
  }>;
  /** The rows whose score moves most. */
  readonly furthest: ReadonlyArray<{
    readonly subject_id: string;
    readonly label: 'fraud' | 'legitimate' | 'presumed legitimate';
    readonly champion_score: number;
    readonly challenger_score: number;
    readonly amount_usd: number | null;
  }>;
}
