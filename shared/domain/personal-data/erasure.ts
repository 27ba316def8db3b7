import { hash } from 'node:crypto';

/** The erasure of everything about a user; it outlives the erased data, and names nobody. */
export interface Erasure {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly status: 'pending' | 'completed';
  readonly requested_at: string;
  readonly requested_by: string;
  readonly completed_at: string | null;
  /** Until when evidence of fraud stays, by pseudonym alone; null if everything is erased. */
  readonly evidence_until: string | null;
  readonly looked_at: number;
  readonly erased: Readonly<Record<string, number>>;
}

/** Who is to be erased. Known only as long as the erasure is pending. */
export interface ErasedPerson {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly user: string;
  /** Later data is new, and stays. */
  readonly requested_at_ms: number;
  /** Until when evidence of fraud stays; undefined if everything is erased. */
  readonly evidence_until_ms?: number | undefined;
  /** The walk that finds the rest of them, or `WAITING` for one; undefined while there is something to find by keys. */
  readonly walk?: string | undefined;
}

/** Who leaves an entity, as far as it is known: a restored table does not say who it was. */
export type Leaving = Partial<Pick<ErasedPerson, 'user' | 'requested_at_ms' | 'evidence_until_ms'>>;

/** Everything that keys lead to is erased; the rest waits for a walk. */
export const WAITING = 'waiting';

/** How many erasures an account may ask for per day, in UTC. */
export const MAX_ERASURES_PER_DAY = 1_000;

/** Identifies the erased user: enough to recognise them in a restored backup, and not the keyed hash. */
export const erasureMark = (accountId: string, user: string): string =>
  hash('sha256', `erased\n${accountId}\n${user}`, 'base64url').slice(0, 22);

/** Kinds of items that hold data of a person, as an erasure counts them. */
export type TraceKind =
  | 'profile'
  | 'counter'
  | 'result'
  | 'kept'
  | 'case_entry'
  | 'link'
  | 'message'
  | 'response'
  | 'list_entry'
  | 'reference'
  | 'outcome'
  | 'client_event';

/** An item that belongs to a person who is to be erased. */
export interface Trace {
  readonly erasure_id: string;
  readonly kind: TraceKind;
  readonly account_id: string;
  readonly key: { readonly pk: string; readonly sk: string };
  /** Of a result: the ULID that everything about it shares. */
  readonly ulid?: string;
  /** Other entities that it names: erased too, if nobody else was seen with them. */
  readonly entities: readonly string[];
  readonly evidence_until_ms?: number | undefined;
}

/** Some items of people to be erased, how many were read to find them, and where the next part begins. */
export interface TracePage {
  readonly traces: readonly Trace[];
  readonly count: number;
  readonly next: string | undefined;
}

/** One walk through the table, for everyone in all accounts who was waiting when it began. */
export interface ErasureWalk {
  readonly begun_at: string;
  readonly position: string | undefined;
  readonly looked_at: number;
  /** The time that the walks so far have used up: see `mayWalk`. */
  readonly used_until_ms: number;
}

/** Where more people ask, walks begin this far apart. */
export const WALK_EVERY_MS = 6 * 3_600_000;
const WALKS_AT_ONCE = 3;

/** Whether a walk may begin: three at any time, and then one every six hours, however many people ask. */
export const mayWalk = (last: ErasureWalk | undefined, nowMs: number): boolean =>
  (last?.used_until_ms ?? 0) - (WALKS_AT_ONCE - 1) * WALK_EVERY_MS <= nowMs;

/** A walk that begins now. */
export const newWalk = (last: ErasureWalk | undefined, nowMs: number): ErasureWalk => ({
  begun_at: new Date(nowMs).toISOString(),
  position: undefined,
  looked_at: 0,
  used_until_ms: Math.max(last?.used_until_ms ?? 0, nowMs) + WALK_EVERY_MS,
});

/** Everything written before is in all copies of the table by then: DynamoDB says usually within a second. */
const SETTLED_MS = 60_000;

/**
 * Whether a walk for these people may read any copy of the table, at half the price: what it must find was written before
 * they asked, and is in all of them.
 */
export const mayReadAnyCopy = (people: readonly ErasedPerson[], nowMs: number): boolean =>
  people.every(({ requested_at_ms }) => nowMs - requested_at_ms >= SETTLED_MS);
