import type { Caller } from '../../domain/accounts/account';
import type { ReviewCase } from '../../domain/cases/review-case';
import { notFound } from '../../domain/errors';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';

/** Dependencies of reading a case. */
export interface GetCaseDeps {
  readonly clock: { now(): number };
  readonly cases: { find(accountId: string, ulid: string): Promise<ReviewCase | undefined> };
}

/** A case, for as long as results are kept, and the instant at which it was read. */
export async function getCase(
  deps: GetCaseDeps,
  caller: Caller,
  id: string,
): Promise<{ readonly reviewCase: ReviewCase; readonly atMs: number }> {
  const atMs = deps.clock.now();
  const ulid = ulidOf(id, 'case');
  const reviewCase = ulid ? await deps.cases.find(caller.account_id, ulid) : undefined;
  if (!reviewCase || atMs - reviewCase.created_at_ms >= RETENTION_MS) throw notFound('case');
  return { reviewCase, atMs };
}
