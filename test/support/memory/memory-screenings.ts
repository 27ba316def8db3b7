import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';
import type { MemoryCases } from './memory-cases';
import type { EntitiesByAccount } from './memory-entities';

export type ScreeningsPort = ScreenSubjectDeps['screenings'];

/** Screenings in memory. */
export function memoryScreenings(cases: MemoryCases, entities: EntitiesByAccount) {
  const records = new Map<string, ScreeningRecord>();
  const keyOf = (accountId: string, ulid: string): string => `${accountId}/${ulid}`;
  function put(accountId: string, record: ScreeningRecord): void {
    const key = keyOf(accountId, record.ulid);
    if (records.has(key)) throw new Error('A screening with this id exists already');
    records.set(key, record);
  }

  return {
    /** Every screening of every account. */
    all: (): ScreeningRecord[] => [...records.values()],
    get: (accountId: string, ulid: string) => records.get(keyOf(accountId, ulid)),
    replace(accountId: string, record: ScreeningRecord): void {
      records.set(keyOf(accountId, record.ulid), record);
    },

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
