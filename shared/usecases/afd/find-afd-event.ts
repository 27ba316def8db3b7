import type { Caller } from '../../domain/accounts/account';
import { type AfdEventContent, afdScope, type StoredAfdEvent } from '../../domain/afd/afd-event';
import { DomainError } from '../../domain/errors';
import { isRetained, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { AfdEvents } from './afd-events-port';

/** Dependencies of looking an event up. */
export interface FindAfdEventDeps {
  readonly clock: { now(): number };
  readonly events: Pick<AfdEvents, 'find'>;
  readonly screenings: { find(accountId: string, ulid: string): Promise<ScreeningRecord | undefined> };
}

/** An event that was screened, with its screening. */
export interface FoundAfdEvent {
  readonly event: StoredAfdEvent;
  readonly record: ScreeningRecord;
}

/** The event of a name and its screening, for as long as results are kept. */
export async function findAfdEvent(
  deps: FindAfdEventDeps,
  { account_id }: Caller,
  name: Pick<AfdEventContent, 'eventId' | 'eventTypeName'>,
): Promise<FoundAfdEvent> {
  const nowMs = deps.clock.now();
  const event = await deps.events.find(account_id, afdScope(name), nowMs);
  const record = event && (await deps.screenings.find(account_id, event.ulid));
  if (event && record && isRetained(record, nowMs)) return { event, record };
  throw new DomainError('not_found', `No event ${name.eventId} of type ${name.eventTypeName} in the last 90 days.`);
}
