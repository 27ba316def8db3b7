import type { EntityProfile } from '../../../shared/domain/entities/entity-history';
import { kindOfKey, userOf } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink, ScreenedLinks } from '../../../shared/domain/entities/seen-with';
import { ulidTimeMs } from '../../../shared/domain/ulid';
import { readProfile } from '../../../shared/store/entities/entity-store';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import type { LinkChangesDeps } from '../../../shared/usecases/entities/link-changes';
import type { UserLinksDeps } from '../../../shared/usecases/entities/user-links';
import type { EntitiesByAccount } from './memory-entities';
import type { MemoryScreenings } from './memory-screenings';

/** Links as the stream writes them and the picture of a user reads them. */
export type LinksPort = LinkChangesDeps<unknown>['links'] & UserLinksDeps['links'];

interface Parts {
  readonly entities: EntitiesByAccount;
  readonly screenings: MemoryScreenings;
}

/** Links in memory, next to the screenings and the entities that they lead to. */
export function memoryLinks({ entities, screenings }: Parts) {
  const links = new Map<string, EntityLink>();
  const keyOf = ({ account_id, entity, user }: Omit<EntityLink, 'since_ms'>): string =>
    `${account_id}\n${entity}\n${user}`;
  const byUser = (a: EntityLink, b: EntityLink): number => (a.user < b.user ? -1 : 1);
  return {
    ofAccount: (accountId: string): EntityLink[] =>
      [...links.values()].filter(({ account_id }) => account_id === accountId),
    remove: (link: Omit<EntityLink, 'since_ms'>): void => void links.delete(keyOf(link)),

    stored: async () => (screening: ScreenedLinks) =>
      screenings.get(screening.account_id, screening.ulid) !== undefined,
    async put(link: EntityLink) {
      if (!links.has(keyOf(link))) links.set(keyOf(link), link);
    },
    async entitiesOf(accountId: string, user: string, limit: number) {
      const own = screenings.ofAccount(accountId).filter((record) => !record.unlisted && userOf(record) === user);
      const newest = own.sort((a, b) => (a.ulid < b.ulid ? 1 : -1)).slice(0, limit);
      const since = new Map<string, number>();
      for (const { ulid, entities: keys } of newest)
        for (const key of keys) if (kindOfKey(key) !== 'user') since.set(key, ulidTimeMs(ulid));
      return { since, isCut: own.length > limit };
    },
    async usersOf(accountId: string, entity: string, limit: number) {
      const found = [...links.values()].filter((link) => link.account_id === accountId && link.entity === entity);
      return found.sort(byUser).slice(0, limit);
    },
    async profiles(accountId: string, keys: readonly string[], nowMs: number) {
      const profiles = new Map<string, EntityProfile>();
      for (const key of keys) {
        const item = entities.of(accountId).item(key, nowMs);
        if (item) profiles.set(key, readProfile(kindOfKey(key), plainItem(item), nowMs));
      }
      return profiles;
    },
  } satisfies LinksPort & Record<string, unknown>;
}

export type MemoryLinks = ReturnType<typeof memoryLinks>;
