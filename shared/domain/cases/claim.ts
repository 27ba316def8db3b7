import { DomainError } from '../errors';
import { caseStatusAt, type ReviewCase } from './review-case';

/** How long a claim lasts unless its holder renews it: nobody has to release what a colleague left open. */
export const CLAIM_MS = 15 * 60 * 1000;

/** Who works on a case, and until when. Like a case, it ends by the clock. */
export interface CaseClaim {
  readonly assignee: string;
  readonly until_ms: number;
}

/** The claim in force at an instant; only an open case has one. */
export const claimAt = (reviewCase: ReviewCase, nowMs: number): CaseClaim | undefined =>
  reviewCase.claim && nowMs < reviewCase.claim.until_ms && caseStatusAt(reviewCase, nowMs) === 'open'
    ? reviewCase.claim
    : undefined;

/** Throws if somebody else works on the case. */
export function refuseIfHeld(reviewCase: ReviewCase, actor: string, nowMs: number): void {
  const claim = claimAt(reviewCase, nowMs);
  if (!claim || claim.assignee === actor) return;
  const until = new Date(claim.until_ms).toISOString();
  throw new DomainError('case_claimed', `${claim.assignee} is working on this case until ${until}.`, [
    { field: 'assignee', message: claim.assignee },
  ]);
}
