import type { ObservedAttribute } from '../screening/attributes/observed-attribute';
import { unpackObserved } from '../screening/attributes/observed-codec';
import { FEATURE_NAMES } from '../screening/features';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { StoredLabel } from './stored-label';

/**
 * One screening with what became known of it: what every training learns from, wherever the screening was stored (the
 * table's labels, a replay, an import).
 */
export interface TrainingRow {
  /** The vector and the attributes as they were scored, packed as they were stored. */
  readonly vector: Uint8Array;
  readonly observed?: Uint8Array | undefined;
  readonly label: 0 | 1;
  readonly screened_at_ms: number;
  /** When the label became known: nothing may be learnt from it for an earlier screening. */
  readonly labeled_at_ms: number;
  /** How much it counts. @default 1 */
  readonly weight?: number;
  /** Nobody looked at it: taken for legitimate because nothing was heard of it. @default false */
  readonly presumed?: boolean;
}

/** What a training row takes from a stored label. */
type LabelToLearn = Pick<StoredLabel, 'vector' | 'observed' | 'label' | 'screened_at_ms' | 'labeled_at'>;

/** A training row out of a label as the table stores it. */
export const rowOfLabel = ({ vector, observed, label, screened_at_ms, labeled_at }: LabelToLearn): TrainingRow => ({
  vector,
  observed,
  label: label === 'fraud' ? 1 : 0,
  screened_at_ms,
  labeled_at_ms: Date.parse(labeled_at),
});

/** The vector of a row; one from before a slot existed has it missing. */
export function vectorOf(row: Pick<TrainingRow, 'vector'>): Float32Array {
  const stored = unpackVector(row.vector);
  if (stored.length === FEATURE_NAMES.length) return stored;
  const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
  vector.set(stored.subarray(0, vector.length));
  return vector;
}

/** What was observed of a row beside its vector. */
export const observedOf = ({ observed }: Pick<TrainingRow, 'observed'>): readonly ObservedAttribute[] =>
  observed === undefined ? [] : unpackObserved(observed);
