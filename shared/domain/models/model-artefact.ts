import type { SignalTrust } from '../screening/signal-trust';
import type { AttributeSchema } from './attribute-schema';
import type { Forest } from './forest';

/**
 * A model as it is stored, shipped and put in force: the forest and everything that is needed to turn a vector into a
 * score the same way for ever. One blob (`encodeArtefact`), in the bundle and in the registry alike.
 */
export interface ModelArtefact {
  /** On the wire as `model_version`; two artefacts with one version are the same bytes. */
  readonly version: string;
  /** Inputs by name: features of the vector, `rules_log_odds`, and the features of `attributes`. */
  readonly forest: Forest;
  readonly attributes: AttributeSchema;
  readonly calibration: Calibration;
  /** How much each signal still counts beside the model. */
  readonly trust: SignalTrust;
  readonly card: ModelCard;
}

/** From the forest's log-odds to those that came true on rows it had not seen: slope × log-odds + intercept. */
export interface Calibration {
  /** Above 0, so that calibration never changes an order. */
  readonly slope: number;
  readonly intercept: number;
  /**
   * `replace`: the model has learnt what fraud is here, and its log-odds are the score's. `nudge`: it knows other
   * people's traffic, and only moves the signals' score by what it finds.
   */
  readonly role: 'replace' | 'nudge';
}

/** Where a model comes from and what it was worth: shown to people, read by the registry, no part of a score. */
export interface ModelCard {
  readonly source: 'simulation' | 'labels' | 'import' | 'lightgbm';
  /** ISO 8601; null for a model that is made from a seed. */
  readonly trained_at: string | null;
  /** The model that was in force when this one was trained. */
  readonly parent: string | null;
  /** From the first to the last screening learnt from. */
  readonly window: { readonly from: string; readonly to: string } | null;
  readonly rows: number;
  readonly labels: { readonly fraud: number; readonly legitimate: number };
  /** On the newest labels, which the judged forest had not seen; null when there were too few to hold any back. */
  readonly holdout: ModelMetrics | null;
  /** Share of the holdout in each band of ten points, 0–9 to 90–100: what live scores are compared with for drift. */
  readonly score_shares: readonly number[];
  /** Most useful first, with their share of the gain of all splits. */
  readonly features: ReadonlyArray<{ readonly name: string; readonly gain: number }>;
  /** Features that may never lower the score as they rise (1), or never lift it (-1). */
  readonly monotone: Readonly<Record<string, 1 | -1>>;
  /** Trainer settings, by LightGBM's names. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** How well scores separate fraud from the rest. */
export interface ModelMetrics {
  readonly rows: number;
  readonly fraud: number;
  readonly auc: number;
  readonly average_precision: number;
  readonly recall_at_1pct: number;
  readonly recall_at_5pct: number;
  readonly log_loss: number;
  /** What each band of scores promised and what came of it. */
  readonly calibration: ReadonlyArray<{
    readonly from: number;
    readonly to: number;
    readonly rows: number;
    readonly fraud: number;
    readonly predicted: number | null;
    readonly observed: number | null;
  }>;
}
