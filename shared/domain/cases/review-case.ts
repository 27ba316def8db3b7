import { DomainError } from '../errors';
import type { SubjectType } from '../screening/subjects/subject-id';
import type { Trace } from '../traceparent';

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
  readonly event_type?: string;
  /** As stored; `caseStatusAt` gives the status at an instant. */
  readonly status: 'open' | 'approved' | 'rejected' | 'expired';
  readonly risk_score: number;
  readonly signals: readonly string[];
  readonly created_at_ms: number;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly notes: string | null;
  /** A pseudonym of the device: cases of one device are one job. @default no device was sent */
  readonly device?: string;
  readonly trace?: Trace;
  /** Why it was resolved as it was, in the account's own codes. @default none was given */
  readonly reason_code?: string;
  /** The request (`IdempotencyClaim.scope`) that resolved it along with others. @default it was resolved by itself */
  readonly resolved_under?: string;
  /** As stored; `claimAt` says whether it is current. @default nobody works on it */
  readonly claim?: CaseClaim;
  readonly comments?: number;
  /** Counts claims, releases and comments: guards them against each other. @default 0 */
  readonly revision?: number;
  /** The part of the lists that it was put into because many cases opened at once. @default by its ULID */
  readonly shard?: number;
}

/** A page of a list of cases, as of the instant it was read. */
export interface CasePage {
  readonly cases: readonly ReviewCase[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly atMs: number;
}

/** A page of a search; `nextCursor` is null on the last one. */
export interface CaseSearchPage {
  readonly cases: readonly ReviewCase[];
  readonly limit: number;
  readonly nextCursor: string | null;
  /** How far it came if it stopped after as many cases as a request reads. */
  readonly searchedToMs: number | undefined;
  readonly atMs: number;
}

/** An open case expires exactly seven days after it was created, whether or not a sweep has run since. */
export const caseStatusAt = (reviewCase: ReviewCase, nowMs: number): ReviewCase['status'] =>
  reviewCase.status === 'open' && nowMs >= reviewCase.created_at_ms + CASE_LIFE_MS ? 'expired' : reviewCase.status;

/** How long a claim lasts unless its holder renews it: nobody has to release a case that a colleague left open. */
export const CLAIM_MS = 15 * 60 * 1000;

/** Who works on a case, and until when. Like a case, it ends by the clock. */
export interface CaseClaim {
  readonly assignee: string;
  readonly until_ms: number;
}

/** The current claim at an instant; only an open case has one. */
export const claimAt = (reviewCase: ReviewCase, nowMs: number): CaseClaim | undefined =>
  reviewCase.claim && nowMs < reviewCase.claim.until_ms && caseStatusAt(reviewCase, nowMs) === 'open'
    ? reviewCase.claim
    : undefined;

/** Throws if someone else works on the case. */
export function refuseIfHeld(reviewCase: ReviewCase, actor: string, nowMs: number): void {
  const claim = claimAt(reviewCase, nowMs);
  if (!claim || claim.assignee === actor) return;
  const until = new Date(claim.until_ms).toISOString();
  throw new DomainError('case_claimed', `${claim.assignee} is working on this case until ${until}.`, [
    { field: 'assignee', message: claim.assignee },
  ]);
}
