import type { Caller } from '../../domain/accounts/account';
import { type SubjectHistory, type TimelineEntry, timelineOf } from '../../domain/cases/timeline';
import { notFound } from '../../domain/errors';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';

/** Dependencies of the timeline of a case's subject. */
export interface CaseTimelineDeps {
  readonly clock: { now(): number };
  readonly desk: { history(accountId: string, ulid: string): Promise<SubjectHistory> };
}

/** Everything that happened to a case's subject, oldest first. */
export async function caseTimeline(deps: CaseTimelineDeps, caller: Caller, id: string): Promise<TimelineEntry[]> {
  const nowMs = deps.clock.now();
  const ulid = ulidOf(id, 'case');
  const history = ulid ? await deps.desk.history(caller.account_id, ulid) : undefined;
  const { reviewCase } = history ?? {};
  if (!history || !reviewCase || nowMs - reviewCase.created_at_ms >= RETENTION_MS) throw notFound('case');
  return timelineOf(history, nowMs);
}
