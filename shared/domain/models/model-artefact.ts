import type { SignalTrust } from '../screening/score';
import type { AttributeSchema } from './attribute-schema';
import type { Forest } from './forest';

/**
 * A model as it is stored, shipped and promoted: the forest and everything that is needed to turn a vector into a
 * score the same way forever. One blob (`encodeArtefact`), in both the bundle and the registry.
 */
export interface ModelArtefact {
  /** On the wire as `model_version`; two artefacts with the same version are the same bytes. */
  readonly version: string;
  /** Inputs by name: features of the vector, `rules_log_odds`, and the features of `attributes`. */
  readonly forest: Forest;
  readonly attributes: AttributeSchema;
  readonly calibration: Calibration;
  readonly trust: SignalTrust;
  /** The scopes of the accounts it scores for, if only a few taught it. @default all accounts */
  readonly audience?: readonly number[];
  /** Models of accounts that are taught apart from the others, each with its own audience; `audience` has theirs too. @default none */
  readonly apart?: readonly ModelArtefact[];
  readonly card: ModelCard;
}

/** Maps the forest's log-odds to those observed on rows it had not seen: slope × log-odds + intercept. */
export interface Calibration {
  /** Above 0, so that calibration never changes the ranking. */
  readonly slope: number;
  readonly intercept: number;
  /**
   * `replace`: the model has learnt what fraud looks like here, and its log-odds are the score's. `nudge`: it knows
   * other people's traffic, and only adjusts the signals' score by what it finds.
   */
  readonly role: 'replace' | 'nudge';
}

/** Where a model comes from and how well it did: for people and for the registry; it does not affect scores. */
export interface ModelCard {
  readonly source: 'simulation' | 'labels' | 'import' | 'lightgbm';
  /** ISO 8601; null for a model made from a seed. */
  readonly trained_at: string | null;
  readonly parent: string | null;
  readonly window: { readonly from: string; readonly to: string } | null;
  readonly rows: number;
  readonly labels: { readonly fraud: number; readonly legitimate: number };
  /** On the newest labels, unseen by the evaluated forest; null if there were too few to hold any back. */
  readonly holdout: ModelMetrics | null;
  /** Where there was too little fraud to hold much of it out: on every row but the oldest, fold by fold. @default not measured */
  readonly cross_validation?: CrossValidation;
  /** Attributes that are not tracked by default and would have been worth it; the account is null in an imported history. @default none */
  readonly worth_tracking?: ReadonlyArray<AttributeProposal & { readonly account_id: string | null }>;
  /** Share of the holdout in each band of ten points, 0–9 to 90–100: live scores are compared with it for drift. */
  readonly score_shares: readonly number[];
  /** Most useful first, with their share of the total gain of all splits. */
  readonly features: ReadonlyArray<{ readonly name: string; readonly gain: number }>;
  /** Features that may never lower the score as they rise (1), or never raise it (-1). */
  readonly monotone: Readonly<Record<string, 1 | -1>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The metrics of several models of one kind, each on the rows that followed those it had learnt from. */
export interface CrossValidation extends ModelMetrics {
  readonly folds: number;
}

/** A custom attribute that would be worth tracking, and why. */
export interface AttributeProposal {
  readonly key: string;
  readonly values: number;
  readonly repeated: number;
  /** How much more likely fraud was after a bad history of the value, where no other history said anything. */
  readonly lift: number;
}

/** How well scores separate fraud from everything else. */
export interface ModelMetrics {
  readonly rows: number;
  readonly fraud: number;
  readonly auc: number;
  readonly average_precision: number;
  readonly recall_at_1pct: number;
  readonly recall_at_5pct: number;
  readonly log_loss: number;
  readonly calibration: ReadonlyArray<{
    readonly from: number;
    readonly to: number;
    readonly rows: number;
    readonly fraud: number;
    readonly predicted: number | null;
    readonly observed: number | null;
  }>;
}
