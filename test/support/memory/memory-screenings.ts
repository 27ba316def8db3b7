import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import { keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';
import type { MemoryCases } from './memory-cases';
import type { EntitiesByAccount } from './memory-entities';
import type { MemoryKept } from './memory-kept';
import type { MemoryReferences } from './memory-references';

export type ScreeningsPort = ScreenSubjectDeps['screenings'];

interface Parts {
  readonly cases: MemoryCases;
  readonly entities: EntitiesByAccount;
  readonly keptSubjects: MemoryKept;
  readonly references: MemoryReferences;
}

/** Screenings in memory. */
export function memoryScreenings({ cases, entities, keptSubjects, references }: Parts) {
  const records = new Map<string, ScreeningRecord>();
  const keyOf = (accountId: string, ulid: string): string => `${accountId}/${ulid}`;
  function put(accountId: string, record: ScreeningRecord): void {
    const key = keyOf(accountId, record.ulid);
    if (records.has(key)) throw new Error('A screening with this id exists already');
    records.set(key, record);
    const { ulid, references: names = [], kept_until_ms, screened_at_ms: atMs } = record;
    if (kept_until_ms === undefined) return;
    keptSubjects.put(accountId, keptSubject(record, kept_until_ms));
    references.link(accountId, names, { ulid, atMs, kept_until_ms });
  }

  return {
    /** Every screening of every account. */
    all: (): ScreeningRecord[] => [...records.values()],
    get: (accountId: string, ulid: string) => records.get(keyOf(accountId, ulid)),
    replace(accountId: string, record: ScreeningRecord): void {
      records.set(keyOf(accountId, record.ulid), record);
    },

    /** Deletes one, as the table does some time after 90 days. */
    remove: (accountId: string, ulid: string): void => void records.delete(keyOf(accountId, ulid)),

    find: async (accountId: string, ulid: string) => records.get(keyOf(accountId, ulid)),
    async insert(accountId: string, record: ScreeningRecord) {
      put(accountId, record);
      entities.of(accountId).stop(record);
    },
    async insertWithCase(accountId: string, record: ScreeningRecord, reviewCase: ReviewCase) {
      put(accountId, record);
      entities.of(accountId).stop(record);
      cases.put(accountId, reviewCase);
    },
  } satisfies ScreeningsPort & Record<string, unknown>;
}

export type MemoryScreenings = ReturnType<typeof memoryScreenings>;
