import type { LabelGiven } from '../../domain/models/stored-label';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { subjectId } from '../../domain/screening/subjects/subject-id';
import { labelKey } from '../keys';

/**
 * What training needs of a screening. It outlives the screening, so it holds the vector but nothing that names anyone.
 * A sampled one has the number 0, so anything that a person says about it replaces it.
 */
export const labelItem = (
  accountId: string,
  record: ScreeningRecord,
  given: LabelGiven,
  endMs: number,
): Record<string, unknown> => ({
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
  ttl: Math.ceil(endMs / 1000),
});
