import type { OutcomeChange } from '../../domain/cases/outcome';
import type { Attempt } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { requestMark } from '../../domain/entities/request-mark';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type CountedDecision, decisionUpdate } from '../entities/decision-update';
import { leanLabelUpdate } from '../entities/label-update';
import { readTouched } from '../entities/read-touched';
import { touchUpdate, untouchUpdate } from '../entities/touch-update';
import { staleNames } from '../entities/trim-update';
import type { LiveItem } from '../sdk/attribute-value';
import { applyInPlace, type Update } from './apply-update';
import { entityShelf } from './entity-shelf';

/** An item of more names than this has stale ones, as a rule. */
const MANY_NAMES = 32;

/** Nothing reads a stale bucket. In the table it stays until a trim is worth its write; here each costs time at every read. */
function dropStale(item: LiveItem, atMs: number): void {
  if (item.size > MANY_NAMES) for (const name of staleNames(item, atMs).names) item.delete(name);
}

/**
 * The same updates as the table's, applied to items in memory by `applyUpdate` (which a test holds against DynamoDB
 * itself). One account, one caller at a time: claims and rivals have no part in a replay.
 */
export function memoryStore() {
  const shelf = entityShelf();
  const records = new Map<string, ScreeningRecord>();

  function update(key: string, params: Update, atMs: number): LiveItem {
    const item = shelf.get(key, atMs) ?? new Map();
    if (applyInPlace(item, params)) shelf.put(key, item);
    return item;
  }

  return {
    entities: {
      async touch(_accountId: string, ref: EntityRef, attempt: Attempt) {
        // Read before the update: the item itself moves on.
        const { history, trim } = readTouched(ref.kind, shelf.get(ref.key, attempt.at_ms), attempt);
        dropStale(update(ref.key, touchUpdate(ref.kind, attempt), attempt.at_ms), attempt.at_ms);
        // Touched just before, so it cannot have expired whatever the time is.
        const trimmed = trim && (async () => void update(ref.key, trim, 0));
        return { ref, counted_by: requestMark(attempt), history, trim: trimmed };
      },
      async untouch(_accountId: string, ref: EntityRef, attempt: Attempt, { isCertain }: { isCertain: boolean }) {
        update(ref.key, untouchUpdate(ref.kind, attempt, isCertain), attempt.at_ms);
      },
    },
    claims: {
      claim: async () => undefined,
      takeOver: async () => false,
      release: async () => undefined,
    },
    screenings: {
      find: async (_accountId: string, ulid: string) => records.get(ulid),
      async insert(_accountId: string, record: ScreeningRecord) {
        records.set(record.ulid, record);
      },
      async insertWithCase(_accountId: string, record: ScreeningRecord) {
        records.set(record.ulid, record);
      },
      async countDecision(_accountId: string, userEntity: string, counted: CountedDecision) {
        update(userEntity, decisionUpdate(counted), counted.atMs);
      },
    },
    outcomes: {
      async findSubject(_accountId: string, ulid: string) {
        const record = records.get(ulid);
        return record && { record, reviewCase: undefined };
      },
      async save(_accountId: string, change: OutcomeChange, nowMs: number) {
        records.set(change.record.ulid, change.record);
        const params = leanLabelUpdate(change.label, change.previousLabel);
        for (const key of change.record.entities) update(key, params, nowMs);
        return true;
      },
    },
    /** Drops a screening of which nothing more will be heard. */
    forget(ulid: string) {
      records.delete(ulid);
    },
  };
}
