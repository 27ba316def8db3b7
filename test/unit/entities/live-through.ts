import { applyUpdate } from '../../../shared/domain/entities/apply-update';
import type { EntityItem } from '../../../shared/domain/entities/attribute-value';
import type { Attempt, EntityKind } from '../../../shared/domain/entities/entity-history';
import { itemSize } from '../../../shared/domain/entities/item-size';
import { touchUpdate } from '../../../shared/domain/entities/touch-update';
import { trimUpdate } from '../../../shared/domain/entities/trim-update';

/** Key attributes of the length that a table's keys have (account id and a hash of the entity's). */
export const KEY_ATTRIBUTES: EntityItem = {
  pk: { S: 'ENTITY#acc_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0#user#0123456789abcdefghijkl' },
  sk: { S: 'ENTITY' },
  entity: { S: 'entity_history' },
};

/** An entity in memory that is touched and trimmed as the screening does it. */
export interface Life {
  item: EntityItem;
  touches: number;
  trims: number;
  largestBytes: number;
}

export const newLife = (): Life => ({ item: KEY_ATTRIBUTES, touches: 0, trims: 0, largestBytes: 0 });

/** Touches, then trims by what the touch returned: the old item. */
export function live(life: Life, kind: EntityKind, attempt: Attempt): void {
  const old = life.item;
  life.item = applyUpdate(old, touchUpdate(kind, attempt)).item ?? KEY_ATTRIBUTES;
  life.touches += 1;
  life.largestBytes = Math.max(life.largestBytes, itemSize(life.item));
  const trim = trimUpdate(kind, old, attempt);
  if (trim === undefined) return;
  life.trims += 1;
  life.item = applyUpdate(life.item, trim).item ?? KEY_ATTRIBUTES;
}
