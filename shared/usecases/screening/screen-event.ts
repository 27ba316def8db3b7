import type { Caller } from '../../domain/accounts/account';
import { eventTypeOf, isBuiltInType } from '../../domain/declarations/declaration';
import type { IdempotencyClaim } from '../../domain/idempotency';
import { type EventBody, eventSubject, withThresholds } from '../../domain/screening/subjects/attempt-of';
import { type EventRecord, isEvent } from '../../domain/screening/subjects/screening-record';
import { type ScreenedSubject, type ScreenSubjectDeps, screenSubject } from './screen-subject';

/** Screens an event as its caller sent it; the account's own event type is known by then. */
export async function screenEvent(
  deps: ScreenSubjectDeps,
  caller: Caller,
  body: EventBody,
  claim?: IdempotencyClaim,
): Promise<ScreenedSubject & { readonly record: EventRecord }> {
  const declared = isBuiltInType(body.event_type) ? undefined : deps.rules.latest(caller.account_id)?.declarations;
  const type = declared && eventTypeOf(declared, body.event_type);
  const subject = eventSubject(body, type);
  const { record, replayed } = await screenSubject(deps, withThresholds(caller, type), subject, claim);
  // A claim's scope names the route, so a repeat finds what this route stored.
  if (!isEvent(record)) throw new Error(`The claim of an event led to ${record.subject_type} ${record.ulid}`);
  return { record, replayed };
}
