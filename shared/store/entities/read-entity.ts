import type { Attempt, EntityHistory, EntityKind } from '../../domain/entities/entity-history';
import type { ListFlag } from '../../domain/lists/match-lists';
import type { EntityItem, LiveItem, UpdateParams } from '../sdk/attribute-value';
import { type ItemReading, readItem } from './item-reading';
import { historyOf } from './read-history';
import { trimUpdate } from './trim-update';

/** An entity's item as read from the answer of the recording update. */
export interface EntityReading {
  readonly history: EntityHistory;
  readonly flags: readonly ListFlag[];
  readonly trim: UpdateParams | undefined;
  readonly reading: ItemReading;
}

export function readEntity(
  kind: EntityKind,
  item: EntityItem | LiveItem | undefined,
  attempt: Attempt,
  countedAtMs?: number,
): EntityReading {
  const reading = readItem(item, attempt.at_ms);
  return {
    history: historyOf(kind, reading, attempt, countedAtMs),
    flags: reading.flags,
    trim: item && trimUpdate(kind, item, attempt, reading),
    reading,
  };
}
