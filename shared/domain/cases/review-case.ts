import type { EventAction } from '../entities/entity-history';
import { caseId, type SubjectType, subjectId } from '../screening/subjects/subject-id';

export const CASE_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** A flagged item that waits for a person's decision. */
export interface ReviewCase {
  readonly ulid: string;
  readonly subject_type: SubjectType;
  readonly user_id: string;
  /** Transactions only; as text, like the screening's. */
  readonly amount?: string;
  readonly currency?: string;
  /** Events only. */
  readonly event_type?: EventAction;
  /** As stored; `caseStatusAt` says what holds at an instant. */
  readonly status: 'open' | 'approved' | 'rejected' | 'expired';
  readonly risk_score: number;
  readonly signals: readonly string[];
  readonly created_at_ms: number;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly notes: string | null;
}

/** An open case is expired from the very instant of its seventh day, whether or not a sweep has been by. */
export const caseStatusAt = (reviewCase: ReviewCase, nowMs: number): ReviewCase['status'] =>
  reviewCase.status === 'open' && nowMs >= reviewCase.created_at_ms + CASE_LIFE_MS ? 'expired' : reviewCase.status;

/** The case as GET answers it. */
export function caseAnswer(reviewCase: ReviewCase, nowMs: number): object {
  const { ulid, subject_type, user_id, amount, currency, event_type, risk_score, signals, created_at_ms } = reviewCase;
  return {
    case_id: caseId(ulid),
    subject_type,
    subject_id: subjectId(subject_type, ulid),
    user_id,
    ...(amount === undefined ? {} : { amount: Number(amount), currency }),
    ...(event_type === undefined ? {} : { event_type }),
    status: caseStatusAt(reviewCase, nowMs),
    risk_score,
    decision: 'review',
    signals,
    created_at: new Date(created_at_ms).toISOString(),
    expires_at: new Date(created_at_ms + CASE_LIFE_MS).toISOString(),
    resolved_at: reviewCase.resolved_at,
    resolved_by: reviewCase.resolved_by,
    notes: reviewCase.notes,
  };
}
