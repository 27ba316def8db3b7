import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import { isDecisionOf, isRetained, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';

/** Dependencies of reading the result of a screening. */
export interface ReadScreeningDeps {
  readonly clock: { now(): number };
  readonly screenings: { find(accountId: string, ulid: string): Promise<ScreeningRecord | undefined> };
}

/** The screening in which a decision was made, by the id of the decision or of its subject. */
export async function getDecision(deps: ReadScreeningDeps, caller: Caller, id: string): Promise<ScreeningRecord> {
  const ulid = ulidOf(id, 'dec', 'txn', 'evt');
  const record = ulid && (await deps.screenings.find(caller.account_id, ulid));
  if (!record || !isDecisionOf(record, id) || !isRetained(record, deps.clock.now())) throw notFound('decision');
  return record;
}

/** Dependencies of reading a decision with what was reported about it. */
export interface ReadReportedDeps extends ReadScreeningDeps {
  readonly kept: { find(accountId: string, ulid: string): Promise<KeptSubject | undefined> };
}

/** The decision, and the outcomes from outside; a second read only for a screening that has references or outcomes. */
export async function getReportedDecision(
  deps: ReadReportedDeps,
  caller: Caller,
  id: string,
): Promise<{ readonly record: ScreeningRecord; readonly kept: KeptSubject | undefined }> {
  const record = await getDecision(deps, caller, id);
  const isKept = record.kept_until_ms !== undefined;
  return { record, kept: isKept ? await deps.kept.find(caller.account_id, record.ulid) : undefined };
}
