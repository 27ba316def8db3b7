import type { ReviewCase } from '../../domain/cases/review-case';
import { kindOfKey, pseudonymOf } from '../../domain/entities/entity-ref';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** Tells devices of one account apart, and nothing else about them. */
function deviceOf({ entities }: ScreeningRecord): { readonly device?: string } {
  const key = entities.find((each) => kindOfKey(each) === 'device');
  return key === undefined ? {} : { device: pseudonymOf({ key }) };
}

/** The case of a screening that is held for review. */
export const openCase = (record: ScreeningRecord): ReviewCase => ({
  ulid: record.ulid,
  subject_type: record.subject_type,
  user_id: record.user_id,
  ...(record.amount === undefined || record.currency === undefined
    ? {}
    : { amount: String(record.amount), currency: record.currency }),
  ...(record.event_type === undefined ? {} : { event_type: record.event_type }),
  ...deviceOf(record),
  ...(record.trace === undefined ? {} : { trace: record.trace }),
  status: 'open',
  risk_score: record.risk_score,
  signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
  created_at_ms: record.screened_at_ms,
  resolved_at: null,
  resolved_by: null,
  notes: null,
});
