import type { OutcomeChange } from '../../domain/cases/outcome';
import type { EarnedAttempt } from '../../domain/entities/earning';
import type { Attempt } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { type KeptChange, moveOn } from '../../domain/outcomes/kept-change';
import { declinedEntities } from '../../domain/outcomes/kept-subject';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { memoryEntities } from './memory-entities';
import { memoryNetworks } from './memory-networks';

/** The store of a history replay. One account, one caller at a time: claims and rivals play no part in it. */
export function memoryStore() {
  const entities = memoryEntities();
  const networks = memoryNetworks(entities);
  const records = new Map<string, ScreeningRecord>();

  return {
    entities: {
      recordAttempt: (_accountId: string, ref: EntityRef, attempt: Attempt) => entities.recordAttempt(ref, attempt),
      removeAttempt: (_accountId: string, ref: EntityRef, attempt: Attempt, how: { isCertain: boolean }) =>
        entities.removeAttempt(ref, attempt, how),
      earn: (_accountId: string, ref: EntityRef, earned: EarnedAttempt) => entities.earn(ref, earned),
      unearn: (_accountId: string, ref: EntityRef, record: ScreeningRecord) => entities.unearn(ref, record),
      trust: (_accountId: string, ref: EntityRef, atMs: number) => entities.trust(ref, atMs),
      countStopped: (_accountId: string, ref: EntityRef, attempt: Attempt) => entities.countStopped(ref, attempt),
    },
    networks: {
      read: (_accountId: string, refs: readonly EntityRef[], attempt: Attempt) => networks.read(refs, attempt),
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
        entities.stop(record);
      },
      async insertWithCase(_accountId: string, record: ScreeningRecord) {
        records.set(record.ulid, record);
        entities.stop(record);
      },
    },
    outcomes: {
      async findSubject(_accountId: string, ulid: string) {
        const record = records.get(ulid);
        return record && { record, reviewCase: undefined };
      },
      async save(_accountId: string, change: OutcomeChange, nowMs: number) {
        const { record } = change;
        records.set(record.ulid, record);
        for (const key of record.entities) {
          const moved = moveOn(change.move, key);
          if (moved) entities.label(key, { record, ...moved }, nowMs);
        }
        return true;
      },
    },
    declined({ declined, after: { screening } }: KeptChange, nowMs: number): void {
      if (declined === undefined) return;
      for (const key of declinedEntities(screening)) entities.decline(key, screening, declined, nowMs);
    },
    itemOf: entities.item,
    forget(ulid: string) {
      records.delete(ulid);
    },
  };
}
