import type { ErasedPerson, Erasure, ErasureWalk } from '../../../shared/domain/personal-data/erasure';
import type { ForgetLabelsDeps } from '../../../shared/usecases/personal-data/forget-labels';
import type { GetErasureDeps, RequestErasureDeps } from '../../../shared/usecases/personal-data/request-erasure';
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
  walk: string | undefined;
}

/** Erasures in memory. */
export function memoryErasures() {
  const held = new Map<string, Held>();
  const forgotten: object[] = [];
  const asked = new Map<string, number>();
  let latest: ErasureWalk | undefined;
  const of = (person: Pick<ErasedPerson, 'account_id' | 'erasure_id'>): Held => {
    const known = held.get(`${person.account_id}/${person.erasure_id}`);
    if (!known) throw new Error('no such erasure');
    return known;
  };
  return {
    find: async (accountId: string, erasureId: string) => held.get(`${accountId}/${erasureId}`)?.erasure,
    async count(accountId: string, nowMs: number, most: number) {
      const day = `${accountId}/${Math.floor(nowMs / 86_400_000)}`;
      const before = asked.get(day) ?? 0;
      if (before < most) asked.set(day, before + 1);
      return before < most;
    },
    async insert(erasure: Erasure, user: string) {
      const { account_id, erasure_id, status } = erasure;
      const waiting = status === 'pending' ? user : undefined;
      held.set(`${account_id}/${erasure_id}`, { erasure: { ...erasure, erased: {} }, user: waiting, walk: undefined });
    },
    insertForgotten: async (_accountId: string, _ulid: string, entry: object) => void forgotten.push(entry),
    async pending() {
      const waiting = [...held.values()].sort((a, b) => (a.erasure.requested_at < b.erasure.requested_at ? -1 : 1));
      return waiting.flatMap(({ erasure, user, walk }): ErasedPerson[] => {
        const { erasure_id, account_id, requested_at, evidence_until } = erasure;
        const evidence_until_ms = evidence_until === null ? undefined : Date.parse(evidence_until);
        const requested_at_ms = Date.parse(requested_at);
        return user === undefined ? [] : [{ erasure_id, account_id, user, requested_at_ms, evidence_until_ms, walk }];
      });
    },
    async join(person: ErasedPerson, walk: string) {
      of(person).walk = walk;
    },
    walk: async () => latest,
    async saveWalk(walk: ErasureWalk) {
      latest = walk;
    },
    async progress(person: ErasedPerson, lookedAt: number, erased: Readonly<Record<string, number>>) {
      const known = of(person);
      const counts = { ...known.erasure.erased };
      for (const [kind, count] of Object.entries(erased)) if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
      known.erasure = { ...known.erasure, looked_at: known.erasure.looked_at + lookedAt, erased: counts };
    },
    async complete(person: ErasedPerson, lookedAt: number, completed_at: string) {
      const known = of(person);
      const looked_at = known.erasure.looked_at + lookedAt;
      known.erasure = { ...known.erasure, status: 'completed', completed_at, looked_at };
      known.user = undefined;
    },
  } satisfies ErasuresPort & Record<string, unknown>;
}

export type MemoryErasures = ReturnType<typeof memoryErasures>;
