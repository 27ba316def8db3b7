import { readProfile } from '../../../shared/store/entities/entity-store';
import { isOnlyListed } from '../../../shared/store/entities/list-flags';
import { type MemoryEntities, memoryEntities } from '../../../shared/store/memory/memory-entities';
import { memoryNetworks } from '../../../shared/store/memory/memory-networks';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import type { RiskProfileDeps } from '../../../shared/usecases/entities/user-risk-profile';
import type { EntityPort } from '../../../shared/usecases/screening/screen-subject';
import type { NetworkPort } from '../../../shared/usecases/screening/sources/networks';

/** Entities' histories as screenings write them and risk profiles read them. */
export interface EntitiesPort extends EntityPort {
  profile(
    accountId: string,
    kind: Parameters<typeof readProfile>[0],
    entity: string,
    nowMs: number,
  ): ReturnType<RiskProfileDeps['entities']['profile']>;
}

/** The replay's entities, one set of them for each account. */
export function entitiesByAccount() {
  const accounts = new Map<string, MemoryEntities>();
  const of = (accountId: string): MemoryEntities => {
    const known = accounts.get(accountId) ?? memoryEntities();
    accounts.set(accountId, known);
    return known;
  };
  return {
    of,
    recordAttempt: (accountId, ref, attempt) => of(accountId).recordAttempt(ref, attempt),
    removeAttempt: (accountId, ref, attempt, how) => of(accountId).removeAttempt(ref, attempt, how),
    earn: (accountId, ref, earned) => of(accountId).earn(ref, earned),
    unearn: (accountId, ref, record) => of(accountId).unearn(ref, record),
    trust: (accountId, ref, atMs) => of(accountId).trust(ref, atMs),
    countStopped: (accountId, ref, attempt) => of(accountId).countStopped(ref, attempt),
    async profile(accountId, kind, entity, nowMs) {
      const item = of(accountId).item(entity, nowMs);
      return item && !isOnlyListed(plainItem(item)) ? readProfile(kind, plainItem(item), nowMs) : undefined;
    },
  } satisfies EntitiesPort & { of(accountId: string): MemoryEntities };
}

/** The networks next to them. */
export const networksByAccount = (entities: EntitiesByAccount): NetworkPort => ({
  read: (accountId, refs, attempt) => memoryNetworks(entities.of(accountId)).read(refs, attempt),
});

export type EntitiesByAccount = ReturnType<typeof entitiesByAccount>;
