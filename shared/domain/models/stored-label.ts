import type { Label } from '../cases/outcome';
import type { OutcomeType } from '../outcomes/outside-outcome';

/** Who labelled a screening, how and when. */
export interface LabelGiven {
  readonly label: Label;
  /** A person's review or case, an outcome from outside, or nobody: it was allowed and is in the sample. */
  readonly source: 'decision_review' | 'case' | 'sample' | OutcomeType;
  readonly analyst_id: string | null;
  /** The API key it was sent with; absent from samples, from older labels and from a bank's statement. */
  readonly key_id?: string;
  readonly labeled_at: string;
}

/** A label with the screening as it was scored; the training inputs stay packed. */
export interface StoredLabel extends LabelGiven {
  readonly subject_id: string;
  readonly screened_at_ms: number;
  readonly risk_score: number;
  readonly model_version: string;
  readonly feature_version: number;
  readonly vector: Uint8Array;
  readonly observed?: Uint8Array | undefined;
  /** When it ends, in seconds; the table deletes it some time later. Absent from labels of versions without an end. */
  readonly ttl?: number | undefined;
}

/**
 * Who stands behind a label: the analyst that the request names, and the key that sent it. Both, because anyone with a
 * key can name any analyst.
 */
export const actorsOf = ({ analyst_id, key_id }: Pick<LabelGiven, 'analyst_id' | 'key_id'>): string[] => [
  ...(analyst_id === null ? [] : [`analyst:${analyst_id}`]),
  ...(key_id === undefined ? [] : [`key:${key_id}`]),
];
