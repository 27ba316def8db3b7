import { applyInPlace, type Update } from '../../shared/domain/entities/apply-update';
import { requestMark } from '../../shared/domain/entities/attempt-record';
import type { LiveItem } from '../../shared/domain/entities/attribute-value';
import { decisionUpdate } from '../../shared/domain/entities/decision-update';
import { leanLabelUpdate } from '../../shared/domain/entities/label-update';
import { readTouched } from '../../shared/domain/entities/read-touched';
import { touchUpdate, untouchUpdate } from '../../shared/domain/entities/touch-update';
import { staleNames } from '../../shared/domain/entities/trim-update';
import type { ScreeningRecord } from '../../shared/domain/subjects/screening-record';
import type { RecordOutcomeDeps } from '../../shared/usecases/record-outcome';
import type { ScreenSubjectDeps } from '../../shared/usecases/screen-subject';
import { entityShelf } from './entity-shelf';

/** What replay needs of a store: the ports of screening and of outcomes, in memory. */
export interface MemoryStore {
  readonly entities: ScreenSubjectDeps['entities'];
  readonly claims: ScreenSubjectDeps['claims'];
  readonly screenings: ScreenSubjectDeps['screenings'];
  readonly outcomes: RecordOutcomeDeps['outcomes'];
  /** Drops a screening of which nothing more will be heard. */
  forget(ulid: string): void;
}

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
export function memoryStore(): MemoryStore {
  const shelf = entityShelf();
  const records = new Map<string, ScreeningRecord>();

  function update(key: string, params: Update, atMs: number): LiveItem {
    const item = shelf.get(key, atMs) ?? new Map();
    if (applyInPlace(item, params)) shelf.put(key, item);
    return item;
  }

  return {
    entities: {
      async touch(_account, ref, attempt) {
        // Read before the update: the item itself moves on.
        const { history, trim } = readTouched(ref.kind, shelf.get(ref.key, attempt.at_ms), attempt);
        dropStale(update(ref.key, touchUpdate(ref.kind, attempt), attempt.at_ms), attempt.at_ms);
        return { ref, counted_by: requestMark(attempt), history, trim };
      },
      async untouch(_account, ref, attempt, isCertain) {
        update(ref.key, untouchUpdate(ref.kind, attempt, isCertain), attempt.at_ms);
      },
      async trim(_account, ref, trim) {
        // Touched just before, so it cannot have expired whatever the time is.
        update(ref.key, trim, 0);
      },
    },
    claims: {
      claim: async () => undefined,
      takeOver: async () => false,
      release: async () => undefined,
    },
    screenings: {
      find: async (_account, ulid) => records.get(ulid),
      async insert(_account, record) {
        records.set(record.ulid, record);
      },
      async insertWithCase(_account, record) {
        records.set(record.ulid, record);
      },
      async countDecision(_account, userEntity, decision, step, atMs) {
        update(userEntity, decisionUpdate(decision, atMs, step), atMs);
      },
    },
    outcomes: {
      async findSubject(_account, ulid) {
        const record = records.get(ulid);
        return record && { record, reviewCase: undefined };
      },
      async save(_account, change, nowMs) {
        records.set(change.record.ulid, change.record);
        const params = leanLabelUpdate(change.label, change.previousLabel);
        for (const key of change.record.entities) update(key, params, nowMs);
        return true;
      },
    },
    forget(ulid) {
      records.delete(ulid);
    },
  };
}
