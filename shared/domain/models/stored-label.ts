import type { Label } from '../cases/outcome';

/** Who labelled a screening, how and when. */
export interface LabelGiven {
  readonly label: Label;
  /** A person's review or case, or nobody: it was allowed and is in the sample. */
  readonly source: 'decision_review' | 'case' | 'sample';
  readonly analyst_id: string | null;
  /** ISO 8601. */
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
