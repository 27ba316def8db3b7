import type { EntityItem, LiveItem, UpdateParams } from './attribute-value';
import type { Attempt, EntityHistory, EntityKind } from './entity-history';
import type { EntityRef } from './entity-ref';
import { readItem } from './item-reading';
import { historyOf } from './read-history';
import { trimUpdate } from './trim-update';

/** What an entity's item, as a touch returned it, has to say. */
export interface TouchedItem {
  readonly history: EntityHistory;
  /** What brings the item back to size, where it has grown. */
  readonly trim: UpdateParams | undefined;
}

/** An entity that holds the attempt. */
export interface Touched extends TouchedItem {
  readonly ref: EntityRef;
  /** The request that counted it (`requestMark`): this one, or an earlier one with the same `Idempotency-Key`. */
  readonly counted_by: string;
}

/** Reads the item that a touch returned, in one walk; `countedAtMs` as in `historyOf`. */
export function readTouched(
  kind: EntityKind,
  item: EntityItem | LiveItem | undefined,
  attempt: Attempt,
  countedAtMs?: number,
): TouchedItem {
  const reading = readItem(item, attempt.at_ms);
  return {
    history: historyOf(kind, reading, attempt, countedAtMs),
    trim: item && trimUpdate(kind, item, attempt, reading),
  };
}
