import type { LabelGiven } from '../../domain/models/stored-label';
import type { LabelledScreening } from '../../domain/outcomes/kept-subject';
import { subjectId } from '../../domain/screening/subjects/subject-id';
import { labelKey } from '../keys';

/** A label as it is stored: `none` if it only says that the label before it is withdrawn. */
export type GivenOrNone = Omit<LabelGiven, 'label'> & { readonly label: LabelGiven['label'] | 'none' };

/** Which of a subject's labels it is, and when it ends. */
export interface LabelSpan {
  /** The highest holds. A sampled one has the number 0, so anything that is said about it replaces it. */
  readonly number: number;
  readonly endMs: number;
}

/** What training needs of a screening. It outlives the screening, so it holds the vector but nothing that names anyone. */
export const labelItem = (
  accountId: string,
  record: LabelledScreening,
  given: GivenOrNone,
  { number, endMs }: LabelSpan,
): Record<string, unknown> => ({
  ...labelKey(accountId, record.ulid, record.screened_at_ms, number),
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
