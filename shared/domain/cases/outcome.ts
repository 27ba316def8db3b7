import { type AccountSettings, labelEndMs } from '../accounts/account';
import type { KnownLabel } from '../entities/entity-history';
import { type LabelMove, reviewOnSubject } from '../outcomes/kept-change';
import type { KeptSubject } from '../outcomes/kept-subject';
import type { Review, ScreeningRecord } from '../screening/subjects/screening-record';
import { unclaimed } from './desk-change';
import { CASE_LIFE_MS, type ReviewCase } from './review-case';

/** The label that a person gave a subject. */
export type Label = KnownLabel['label'];

export const labelOf = (decision: Review['decision']): Label => (decision === 'block' ? 'fraud' : 'legitimate');

const knownLabel = ({ decision, reviewed_at }: Review): KnownLabel => ({
  label: labelOf(decision),
  known_at_ms: Date.parse(reviewed_at),
});

/** One entry of a subject's audit trail. */
export interface AuditEntry {
  readonly source: 'decision_review' | 'case';
  readonly decision: Review['decision'];
  readonly previous_decision: ScreeningRecord['automated_decision'];
  readonly analyst_id: string | null;
  readonly notes: string | null;
  readonly at: string;
  readonly key_id: string;
  /** The analyst is the person whose key was used, not just a name in the request. @default false */
  readonly proven?: true;
  readonly reason_code?: string;
}

/** A subject with everything that a new outcome may change. */
export interface SubjectState {
  readonly record: ScreeningRecord;
  readonly reviewCase: ReviewCase | undefined;
  /** Its record for outcomes from outside. @default nothing: it has neither references nor outcomes */
  readonly kept?: KeptSubject | undefined;
}

/** Everything that must commit together when a person's outcome is recorded. */
export interface OutcomeChange {
  readonly before: SubjectState;
  readonly record: ScreeningRecord;
  /** The case as resolved by this outcome; undefined if there is none, or none that was still open. */
  readonly reviewCase: ReviewCase | undefined;
  readonly audit: AuditEntry;
  readonly label: KnownLabel;
  readonly move: LabelMove;
  /** The number of the label that training keeps: of several, the highest holds. */
  readonly labelNumber: number;
  readonly kept: KeptSubject | undefined;
  readonly labelEndMs: number;
}

export interface OutcomeOrigin {
  readonly source: AuditEntry['source'];
  readonly keyId: string;
  /** Whether the key is the analyst's own. @default false */
  readonly isProven?: boolean;
  /** The request that resolves this case along with others. @default none */
  readonly scope?: string | undefined;
  readonly settings?: Pick<AccountSettings, 'label_window_days'>;
}

/** The changes that recording an outcome makes. Pure: who, what and when are parameters. */
export function outcomeChange(
  before: SubjectState,
  review: Review,
  { source, keyId, settings = {}, isProven = false, scope }: OutcomeOrigin,
  nowMs: number,
): OutcomeChange {
  const { record, reviewCase } = before;
  const label = knownLabel(review);
  const previous = record.review && ({ ...knownLabel(record.review), source: 'review' } as const);
  const kept = before.kept && reviewOnSubject(before.kept, label);
  const reason = review.reason_code === undefined ? {} : { reason_code: review.reason_code };
  const isOpen = reviewCase?.status === 'open' && nowMs < reviewCase.created_at_ms + CASE_LIFE_MS;
  return {
    before,
    record: { ...record, review, review_count: record.review_count + 1 },
    reviewCase: isOpen
      ? {
          ...unclaimed(reviewCase),
          ...reason,
          ...(scope === undefined ? {} : { resolved_under: scope }),
          status: review.decision === 'block' ? 'rejected' : 'approved',
          resolved_at: review.reviewed_at,
          resolved_by: review.analyst_id,
          notes: review.notes,
        }
      : undefined,
    audit: {
      source,
      decision: review.decision,
      previous_decision: record.review?.decision ?? record.automated_decision,
      analyst_id: review.analyst_id,
      notes: review.notes,
      at: review.reviewed_at,
      key_id: keyId,
      ...reason,
      ...(isProven ? { proven: true } : {}),
    },
    label,
    move: {
      from: before.kept ? before.kept.in_force : previous,
      to: { ...label, source: 'review' },
      at_ms: nowMs,
    },
    labelNumber: kept?.label_changes ?? record.review_count + 1,
    kept,
    labelEndMs: labelEndMs(settings, record),
  };
}
