import type { EarnedAttempt } from '../../domain/entities/earning';
import type { Attempt } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { DeclineEffect } from '../../domain/outcomes/kept-change';
import type { LabelledScreening } from '../../domain/outcomes/kept-subject';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { earnings, trustUpdate, type Unconditional } from '../entities/earn-update';
import { declinedUpdate, type Labelled, stoppedElsewhereUpdate, unearnUpdate } from '../entities/familiarity-update';
import type { ItemReading } from '../entities/item-reading';
import { outcomeUpdate } from '../entities/label-update';
import type { FlagChange } from '../entities/list-flags';
import { readEntity } from '../entities/read-entity';
import { attemptUpdate, countedBy, removeAttemptUpdate } from '../entities/record-attempt-update';
import { staleNames } from '../entities/trim-update';
import { stopOf } from '../screening/screening-store';
import { type LiveItem, plainItem } from '../sdk/attribute-value';
import type { NumberedUpdate } from '../sdk/numbered-update';
import { applyInPlace, applyNumbered, type Update } from './apply-update';
import { entityShelf } from './entity-shelf';

/** An item with more names than this usually has stale ones. */
const MANY_NAMES = 32;

/** Nothing reads a stale bucket. The table keeps it until a trim is worth its write; here each slows every read. */
function dropStale(item: LiveItem, before: ItemReading, atMs: number): void {
  if (item.size > MANY_NAMES) for (const name of staleNames(before, atMs).names) item.delete(name);
}

function wireUpdate(change: Omit<Extract<FlagChange, { kind: 'update' }>, 'kind'>): Update {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues: values = {} } = change;
  const { ConditionExpression } = change;
  return {
    UpdateExpression,
    ExpressionAttributeNames,
    ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, N]) => [name, { N: `${N}` }])),
    ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
  };
}

/**
 * The entities of one account: the same updates as the table's, applied to items in memory. One conformance suite runs
 * against both this and DynamoDB.
 */
export function memoryEntities() {
  const shelf = entityShelf();

  function update(
    key: string,
    params: Update | NumberedUpdate,
    atMs: number,
    found = shelf.get(key, atMs),
  ): { readonly item: LiveItem; readonly applied: boolean } {
    const item: LiveItem = found ?? new Map();
    const applied = 'names' in params ? applyNumbered(item, params) : applyInPlace(item, params);
    if (applied && !found) shelf.put(key, item);
    return { item, applied };
  }

  const updateIfAny = (key: string, params: Unconditional | NumberedUpdate | undefined, atMs: number): void => {
    if (params) update(key, params, atMs);
  };

  return {
    async recordAttempt(ref: EntityRef, attempt: Attempt) {
      // Read before the update, which changes the item in place.
      const found = shelf.get(ref.key, attempt.at_ms);
      const before = readEntity(ref.kind, found, attempt);
      const { item, applied } = update(ref.key, attemptUpdate(ref.kind, attempt), attempt.at_ms, found);
      const counted = applied ? undefined : countedBy(plainItem(item), attempt);
      const { history, flags, trim } = counted ? readEntity(ref.kind, item, attempt, counted.at_ms) : before;
      if (applied) dropStale(item, before.reading, attempt.at_ms);
      // It has just recorded an attempt, so it cannot have expired whatever the time is.
      const trimmed = trim && (async () => void update(ref.key, trim, 0));
      return { ref, counted_by: counted?.counted_by, history, flags, trim: trimmed };
    },
    async removeAttempt(
      ref: EntityRef,
      attempt: Attempt,
      { isCertain }: { readonly isCertain: boolean },
    ): Promise<void> {
      update(ref.key, removeAttemptUpdate(ref.kind, attempt, isCertain), attempt.at_ms);
    },
    async earn(ref: EntityRef, earned: EarnedAttempt): Promise<void> {
      updateIfAny(ref.key, earnings(earned), earned.attempt.at_ms);
    },
    async unearn(ref: EntityRef, record: ScreeningRecord): Promise<void> {
      updateIfAny(ref.key, unearnUpdate(record), record.screened_at_ms);
    },
    async trust(ref: EntityRef, atMs: number): Promise<void> {
      update(ref.key, trustUpdate(atMs), atMs);
    },
    async countStopped(ref: EntityRef, attempt: Attempt): Promise<void> {
      updateIfAny(ref.key, stoppedElsewhereUpdate(ref.kind, attempt), attempt.at_ms);
    },
    /** Remembers on the user's item that a screening was stopped; nothing if it was allowed. */
    stop(record: ScreeningRecord): void {
      const stop = stopOf(record);
      if (stop) update(stop.user, stop.params, record.screened_at_ms);
    },
    label(key: string, labelled: Labelled, nowMs: number): void {
      update(key, outcomeUpdate(labelled, key, true), nowMs);
    },
    decline(key: string, record: LabelledScreening, declined: DeclineEffect, nowMs: number): void {
      updateIfAny(key, declinedUpdate(record, key, declined, nowMs), nowMs);
    },
    flag(key: string, change: FlagChange, nowMs: number): boolean {
      if (change.kind === 'update') return update(key, wireUpdate(change), nowMs).applied;
      const item = shelf.get(key, nowMs);
      if (!item || !applyInPlace(item, wireUpdate({ ...change, UpdateExpression: '' }))) return false;
      shelf.drop(key);
      return true;
    },
    erase: (key: string): void => shelf.drop(key),
    item: (key: string, nowMs: number): LiveItem | undefined => shelf.get(key, nowMs),
  };
}

export type MemoryEntities = ReturnType<typeof memoryEntities>;
