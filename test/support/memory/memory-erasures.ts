import type { ErasedPerson, Erasure, ErasurePass } from '../../../shared/domain/personal-data/erasure';
import type { ForgetLabelsDeps } from '../../../shared/usecases/personal-data/forget-labels';
import type { GetErasureDeps } from '../../../shared/usecases/personal-data/get-erasure';
import type { RequestErasureDeps } from '../../../shared/usecases/personal-data/request-erasure';
import type { RunErasuresDeps } from '../../../shared/usecases/personal-data/run-erasures';

/** Erasures as they are asked for, carried out and shown. */
export type ErasuresPort = RequestErasureDeps['erasures'] &
  GetErasureDeps['erasures'] &
  RunErasuresDeps['erasures'] &
  ForgetLabelsDeps['erasures'];

interface Held {
  erasure: Erasure;
  /** Whom it is about; gone once it is completed. */
  user: string | undefined;
  readonly found: Set<string>;
}

/** Erasures in memory. */
export function memoryErasures() {
  const held = new Map<string, Held>();
  const forgotten: object[] = [];
  let current: ErasurePass | undefined;
  const of = (person: Pick<ErasedPerson, 'account_id' | 'erasure_id'>): Held => {
    const known = held.get(`${person.account_id}/${person.erasure_id}`);
    if (!known) throw new Error('no such erasure');
    return known;
  };
  return {
    find: async (accountId: string, erasureId: string) => held.get(`${accountId}/${erasureId}`)?.erasure,
    async insert(erasure: Erasure, user: string) {
      const { account_id, erasure_id } = erasure;
      held.set(`${account_id}/${erasure_id}`, { erasure: { ...erasure, erased: {} }, user, found: new Set() });
    },
    insertForgotten: async (_accountId: string, _ulid: string, entry: object) => void forgotten.push(entry),
    async pending() {
      const waiting = [...held.values()].sort((a, b) => (a.erasure.requested_at < b.erasure.requested_at ? -1 : 1));
      return waiting.flatMap(({ erasure: { erasure_id, account_id, requested_at }, user }): ErasedPerson[] =>
        user === undefined ? [] : [{ erasure_id, account_id, user, requested_at_ms: Date.parse(requested_at) }],
      );
    },
    pass: async () => current,
    async savePass(pass: ErasurePass) {
      current = pass;
    },
    async progress(
      person: ErasedPerson,
      lookedAt: number,
      erased: Readonly<Record<string, number>>,
      entities: readonly string[],
    ) {
      const known = of(person);
      const counts = { ...known.erasure.erased };
      for (const [kind, count] of Object.entries(erased)) if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
      known.erasure = { ...known.erasure, looked_at: known.erasure.looked_at + lookedAt, erased: counts };
      for (const entity of entities) known.found.add(entity);
    },
    found: async (person: ErasedPerson) => [...of(person).found],
    async complete(person: ErasedPerson, completed_at: string) {
      const known = of(person);
      known.erasure = { ...known.erasure, status: 'completed', completed_at };
      known.user = undefined;
      known.found.clear();
    },
  } satisfies ErasuresPort & Record<string, unknown>;
}

export type MemoryErasures = ReturnType<typeof memoryErasures>;
