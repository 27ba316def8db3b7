import { type IdempotencyClaim, idempotencyClaim } from '../idempotency';
import { RETENTION_MS } from '../screening/subjects/screening-record';

/** Kept of an event, in addition to its screening, under a hash of its name: nothing that says who it was. */
export interface AfdEventNote {
  readonly event_timestamp: string;
  readonly entity_type: string;
  /** The variables that the amount and the currency came from, to answer with the names that were sent. */
  readonly amount_from?: string | undefined;
  readonly currency_from?: string | undefined;
}

/** An event that was screened, and where its screening is. */
export interface StoredAfdEvent extends AfdEventNote {
  readonly ulid: string;
  /** The label as it was last stated: several names may mean fraud. */
  readonly label_name?: string | undefined;
}

/** For as long as results are kept, the same event has the same prediction. */
export const AFD_EVENT_LIFE_MS = RETENTION_MS;

/** Two events are the same if their names and actors are. The time is left out: clients send that of the call. */
export interface AfdEventContent {
  readonly eventId: string;
  readonly eventTypeName: string;
  readonly entities: ReadonlyArray<{ readonly entityType: string; readonly entityId: string }>;
  readonly eventVariables: Readonly<Record<string, string>>;
}

/** The claim of an event: a repeat is answered from the stored screening, other content under the same name refused. */
export function afdClaim({ eventId, eventTypeName, entities, eventVariables }: AfdEventContent): IdempotencyClaim {
  const content = {
    entities: entities.map(({ entityType, entityId }) => ({ entityType, entityId })),
    eventVariables,
  };
  return idempotencyClaim('AFD', eventTypeName, eventId, content);
}

/** The key under which the event of a name is kept. */
export const afdScope = ({ eventId, eventTypeName }: Pick<AfdEventContent, 'eventId' | 'eventTypeName'>): string =>
  idempotencyClaim('AFD', eventTypeName, eventId, null).scope;
