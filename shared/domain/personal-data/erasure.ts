import { hash } from 'node:crypto';

/** The erasure of everything about a user; it outlives what it erased, and names nobody. */
export interface Erasure {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly status: 'pending' | 'completed';
  readonly requested_at: string;
  readonly requested_by: string;
  readonly completed_at: string | null;
  /** How many items were looked at so far. */
  readonly looked_at: number;
  /** How many items of each kind were erased so far. */
  readonly erased: Readonly<Record<string, number>>;
}

/** Who is to be erased. Known only as long as the erasure is pending. */
export interface ErasedPerson {
  readonly erasure_id: string;
  readonly account_id: string;
  /** The key of the user's entity. */
  readonly user: string;
  /** What came later is new, and stays. */
  readonly requested_at_ms: number;
}

/** What an erasure keeps of whom it erased: enough to recognise them in a restored backup, and not the keyed hash. */
export const erasureMark = (accountId: string, user: string): string =>
  hash('sha256', `erased\n${accountId}\n${user}`, 'base64url').slice(0, 22);

/** Kinds of items that hold data of a person, as an erasure counts them. */
export type TraceKind =
  | 'profile'
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
}

/** One walk through the table for all erasures that were pending when it began. */
export interface ErasurePass {
  readonly erasure_ids: readonly string[];
  /** Where the next page begins; undefined at the start. */
  readonly position: string | undefined;
}
