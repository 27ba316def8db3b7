import type { Attempt, EntityKind, KnownLabel } from '../../shared/domain/entities/entity-history';
import { labelUpdate } from '../../shared/store/entities/label-update';
import { recordAttemptUpdate } from '../../shared/store/entities/record-attempt-update';
import { trimUpdate } from '../../shared/store/entities/trim-update';
import { entityKey } from '../../shared/store/keys';
import { applyInPlace } from '../../shared/store/memory/apply-update';
import type { LiveItem } from '../../shared/store/sdk/attribute-value';
import { itemSize } from '../../shared/store/sdk/item-size';

/** The key attributes of an entity; for a tracked attribute, with the longest name allowed. */
function keyAttributes(kind: EntityKind): LiveItem {
  const path = kind === 'attribute' ? `attribute.${'k'.repeat(64)}` : kind;
  const { pk, sk } = entityKey('acc_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0', `${path}#0123456789abcdefghijkl`);
  return new Map([
    ['pk', { S: pk }],
    ['sk', { S: sk }],
  ]);
}

/** An entity in memory that is updated and trimmed as in a screening. */
export interface Life {
  readonly kind: EntityKind;
  readonly item: LiveItem;
  attempts: number;
  trims: number;
  largestBytes: number;
}

export const newLife = (kind: EntityKind): Life => ({
  kind,
  item: keyAttributes(kind),
  attempts: 0,
  trims: 0,
  largestBytes: 0,
});

function update(life: Life, params: Parameters<typeof applyInPlace>[1]): void {
  applyInPlace(life.item, params);
  life.largestBytes = Math.max(life.largestBytes, itemSize(life.item));
}

/** Records and trims; the trim follows from the item before the update, which is what the update returns. */
export function live(life: Life, attempt: Attempt): void {
  const trim = trimUpdate(life.kind, life.item, attempt);
  update(life, recordAttemptUpdate(life.kind, attempt));
  life.attempts += 1;
  if (trim === undefined) return;
  life.trims += 1;
  update(life, trim);
}

/** Counts a label, replacing another if one is given. */
export const learn = (life: Life, label: KnownLabel, replaced?: KnownLabel): void =>
  update(life, labelUpdate(label, replaced));
