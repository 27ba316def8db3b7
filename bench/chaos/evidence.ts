import type { Pseudonyms } from '../../shared/domain/entities/pseudonyms';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import type { EntityItem } from '../../shared/store/sdk/attribute-value';

/** A screening that a client requested, with every response it got: a client retries with the same key. */
export interface Asked {
  readonly account_id: string;
  readonly user_id: string;
  readonly subject_type: ScreeningRecord['subject_type'];
  readonly answers: ReadonlyArray<{ readonly status: number; readonly text: string; readonly replayed: boolean }>;
}

/** A webhook that reached its receiver. */
export interface Told {
  readonly account_id: string;
  readonly message_id: string;
  readonly type: string;
  readonly body: string;
  /** When it came. @default not recorded */
  readonly atMs?: number;
}

/** An item of the table with its attributes as values, and as it was sent. */
export interface Row {
  readonly pk: string;
  readonly sk: string;
  readonly entity: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind.
  readonly value: any;
  readonly wire: EntityItem;
}

/** Everything that an audit examines. */
export interface Evidence {
  readonly asked: readonly Asked[];
  readonly told: readonly Told[];
  readonly rows: readonly Row[];
  readonly nowMs: number;
  /** How the stage names its entities. */
  readonly pseudonyms: Pseudonyms;
}

/** What an audit found wrong. */
export interface Finding {
  readonly kind: 'lost' | 'phantom' | 'half-written' | 'not durable' | 'inconsistent';
  readonly what: string;
}

/** The account of a row, from its key: the account is always the second part. */
export const accountOf = ({ pk }: Row): string => pk.split('#')[1] ?? '';
