import type { ObservedAttribute } from '../screening/attributes/observed-attribute';
import { unpackObserved } from '../screening/attributes/observed-codec';
import { FEATURE_NAMES } from '../screening/features';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { StoredLabel } from './stored-label';

/**
 * One screening with its label: the input of every training, wherever the screening was stored (the
 * table's labels, a replay, an import).
 */
export interface TrainingRow {
  readonly vector: Uint8Array;
  readonly observed?: Uint8Array | undefined;
  readonly account_id?: string | undefined;
  readonly label: 0 | 1;
  readonly screened_at_ms: number;
  /** When the label became known: it must not be used to predict an earlier screening. */
  readonly labeled_at_ms: number;
  readonly weight?: number;
  /** Nobody reviewed it: presumed legitimate because nobody objected. @default false */
  readonly presumed?: boolean;
}

type LabelToLearn = Pick<StoredLabel, 'vector' | 'observed' | 'label' | 'screened_at_ms' | 'labeled_at'>;

/** A training row from a label as the table stores it. */
export const rowOfLabel = ({ vector, observed, label, screened_at_ms, labeled_at }: LabelToLearn): TrainingRow => ({
  vector,
  observed,
  label: label === 'fraud' ? 1 : 0,
  screened_at_ms,
  labeled_at_ms: Date.parse(labeled_at),
});

/** The vector of a row; slots added after it was stored are missing. */
export function vectorOf(row: Pick<TrainingRow, 'vector'>): Float32Array {
  const stored = unpackVector(row.vector);
  if (stored.length === FEATURE_NAMES.length) return stored;
  const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
  vector.set(stored.subarray(0, vector.length));
  return vector;
}

/** The observed attributes of a row. */
export const observedOf = ({ observed }: Pick<TrainingRow, 'observed'>): readonly ObservedAttribute[] =>
  observed === undefined ? [] : unpackObserved(observed);
