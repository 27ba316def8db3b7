import type { Label } from '../domain/subjects/outcome';
import type { ScreeningRecord } from '../domain/subjects/screening-record';
import { subjectId } from '../domain/subjects/subject-id';
import { labelKey } from './keys';

/** Who says what of a screening, and when. */
export interface LabelGiven {
  readonly label: Label;
  /** A person's review or case, or nobody: it was let through and is in the sample. */
  readonly source: 'decision_review' | 'case' | 'sample';
  readonly analyst_id: string | null;
  readonly labeled_at: string;
}

/**
 * What training needs of a screening. It outlives the screening, so it holds the vector and nothing that names a person.
 * A sampled one has the number 0, and so is replaced by whatever a person says of it.
 */
export const labelItem = (accountId: string, record: ScreeningRecord, given: LabelGiven): Record<string, unknown> => ({
  ...labelKey(accountId, record.ulid, record.screened_at_ms, record.review_count),
  entity: 'label',
  account_id: accountId,
  subject_id: subjectId(record.subject_type, record.ulid),
  ...given,
  screened_at_ms: record.screened_at_ms,
  risk_score: record.risk_score,
  model_version: record.model_version,
  feature_version: record.feature_version,
  vector: record.vector,
  ...(record.observed === undefined ? {} : { observed: record.observed }),
});
