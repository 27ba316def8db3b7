import {
  CASE_LIFE_MS,
  type CasePage,
  type CaseSearchPage,
  caseStatusAt,
  claimAt,
  type ReviewCase,
} from '../../domain/cases/review-case';
import { caseId, subjectId } from '../../domain/screening/subjects/subject-id';
import type { AnswerOf } from '../../schemas/answer-of';
import type { caseList, reviewCase } from '../../schemas/case';

export function caseAnswer(found: ReviewCase, atMs: number): AnswerOf<typeof reviewCase> {
  const claim = claimAt(found, atMs);
  const { ulid, subject_type, user_id, amount, currency, event_type, risk_score, signals, created_at_ms } = found;
  return {
    case_id: caseId(ulid),
    subject_type,
    subject_id: subjectId(subject_type, ulid),
    user_id,
    ...(amount === undefined ? {} : { amount: Number(amount), currency }),
    ...(event_type === undefined ? {} : { event_type }),
    status: caseStatusAt(found, atMs),
    risk_score,
    decision: 'review',
    signals,
    created_at: new Date(created_at_ms).toISOString(),
    expires_at: new Date(created_at_ms + CASE_LIFE_MS).toISOString(),
    resolved_at: found.resolved_at,
    resolved_by: found.resolved_by,
    notes: found.notes,
    ...(found.reason_code === undefined ? {} : { reason_code: found.reason_code }),
    assignee: claim?.assignee ?? null,
    claimed_until: claim ? new Date(claim.until_ms).toISOString() : null,
    comments: found.comments ?? 0,
    device: found.device ?? null,
  };
}

export const caseListAnswer = ({ cases, total, limit, offset, atMs }: CasePage): AnswerOf<typeof caseList> => ({
  cases: cases.map((each) => caseAnswer(each, atMs)),
  total,
  limit,
  offset,
  has_more: offset + cases.length < total,
});

export const caseSearchAnswer = ({
  cases,
  limit,
  nextCursor,
  searchedToMs,
  atMs,
}: CaseSearchPage): AnswerOf<typeof caseList> => ({
  cases: cases.map((each) => caseAnswer(each, atMs)),
  total: null,
  limit,
  offset: 0,
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
  searched_to: searchedToMs === undefined ? null : new Date(searchedToMs).toISOString(),
});
