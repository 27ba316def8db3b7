import type { Attempt, EntityHistory, EntityKind } from '../../domain/entities/entity-history';
import type { EntityItem, LiveItem, UpdateParams } from '../sdk/attribute-value';
import { readItem } from './item-reading';
import { historyOf } from './read-history';
import { trimUpdate } from './trim-update';

/** What an entity's item, as a touch returned it, has to say. */
export interface TouchedItem {
  readonly history: EntityHistory;
  /** What brings the item back to size, where it has grown. */
  readonly trim: UpdateParams | undefined;
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
