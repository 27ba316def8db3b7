import type { Caller } from '../../domain/accounts/account';
import type { IdempotencyClaim } from '../../domain/idempotency';
import { eventSubject } from '../../domain/screening/subjects/attempt-of';
import { type EventRecord, isEvent } from '../../domain/screening/subjects/screening-record';
import { type ScreenedSubject, type ScreenSubjectDeps, screenSubject } from './screen-subject';

type EventBody = Parameters<typeof eventSubject>[0];

/** Screens an event as its caller sent it. */
export async function screenEvent(
  deps: ScreenSubjectDeps,
  caller: Caller,
  body: EventBody,
  claim?: IdempotencyClaim,
): Promise<ScreenedSubject & { readonly record: EventRecord }> {
  const { record, replayed } = await screenSubject(deps, caller, eventSubject(body), claim);
  // A claim's scope names the route, so a repeat finds what this route stored.
  if (!isEvent(record)) throw new Error(`The claim of an event led to ${record.subject_type} ${record.ulid}`);
  return { record, replayed };
}
