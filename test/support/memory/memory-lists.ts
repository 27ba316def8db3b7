import { ClaimTaken } from '../../../shared/domain/idempotency';
import {
  changeOf,
  type EntryCounts,
  entryMarks,
  hasFlags,
  type ListChange,
  type ListDefinition,
  MAX_LISTS,
  maxEntries,
  NO_ENTRIES,
} from '../../../shared/domain/lists/list-definition';
import type { ListEntry, NamedEntry } from '../../../shared/domain/lists/list-entry';
import { flagUpdate, listFlag, unflagChange } from '../../../shared/store/entities/list-flags';
import type { ChangePart } from '../../../shared/store/lists/list-store';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import type { ManageEntriesDeps } from '../../../shared/usecases/lists/manage-entries';
import type { ManageListsDeps } from '../../../shared/usecases/lists/manage-lists';
import type { SweepListsDeps } from '../../../shared/usecases/lists/sweep-lists';
import type { FollowListsDeps } from '../../../shared/usecases/screening/followers';
import type { ScreeningLists } from '../../../shared/usecases/screening/sources/lists';
import type { MemoryAnswers } from './memory-answers';
import type { EntitiesByAccount } from './memory-entities';

/** Lists and entries as their routes, the sweep and screenings see them. */
export interface ListsPort {
  readonly lists: ManageListsDeps['lists'] & {
    changes(accountId: string, most: number): Promise<readonly ListChange[]>;
  };
  readonly listEntries: ManageEntriesDeps['entries'] &
    SweepListsDeps['entries'] &
    FollowListsDeps['held'] &
    Pick<ScreeningLists, 'flags'>;
  readonly listShards: readonly number[];
}

interface HeldEntry {
  readonly list: string;
  readonly entry: NamedEntry;
  readonly added_at: string;
  readonly added_by: string;
}

const shown = ({ entry, added_at, added_by }: HeldEntry): ListEntry => ({
  value: entry.value,
  expires_at: entry.expires_at_ms === undefined ? null : new Date(entry.expires_at_ms).toISOString(),
  reason: entry.reason,
  added_at,
  added_by,
});

/** Lists in memory, with their flags on the entities in memory. */
export function memoryLists(entities: EntitiesByAccount, answers: MemoryAnswers): ListsPort {
  const lists = new Map<string, ListDefinition>();
  const numbered = new Map<string, number>();
  const held = new Map<string, Map<string, HeldEntry>>();
  const purges = new Set<string>();
  const changes = new Map<string, ListChange>();
  const keyOf = (accountId: string, name: string): string => `${accountId}/${name}`;
  const entriesOf = (accountId: string, number: number): Map<string, HeldEntry> => {
    const key = keyOf(accountId, String(number));
    const found = held.get(key) ?? new Map<string, HeldEntry>();
    held.set(key, found);
    return found;
  };
  const current = (accountId: string, { name, number }: ListDefinition): ListDefinition | undefined => {
    const found = lists.get(keyOf(accountId, name));
    return found?.number === number ? found : undefined;
  };
  const all = (accountId: string): ListDefinition[] =>
    [...lists]
      .filter(([key]) => key.startsWith(`${accountId}/`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, list]) => list);

  function note(
    accountId: string,
    kind: ListChange['kind'],
    list: ListDefinition,
    { author, counts, names = [] }: Pick<ChangePart, 'author' | 'counts' | 'names'>,
  ) {
    const key = keyOf(accountId, author.ulid);
    const before: Partial<ListChange> & EntryCounts = changes.get(key) ?? NO_ENTRIES;
    const marks = [...new Set([...(before.marks ?? []), ...entryMarks(accountId, names)])].sort();
    changes.set(key, {
      ...changeOf(kind, list, author),
      added: before.added + counts.added,
      updated: before.updated + counts.updated,
      removed: before.removed + counts.removed,
      ...(marks.length === 0 ? {} : { marks }),
    });
  }

  function unflag(accountId: string, list: Pick<ListDefinition, 'number' | 'type'>, entity: string): void {
    if (!hasFlags(list.type)) return;
    const item = entities.of(accountId).item(entity, 0);
    const change = unflagChange(list.number, item && plainItem(item));
    if (change) entities.of(accountId).flag(entity, change, 0);
  }

  const types = new Map<string, ListDefinition['type']>();
  return {
    listShards: [0],
    lists: {
      find: async (accountId, name) => lists.get(keyOf(accountId, name)),
      all: async (accountId) => all(accountId),
      async changes(accountId, most) {
        const own = [...changes].filter(([key]) => key.startsWith(`${accountId}/`));
        return own
          .sort(([a], [b]) => (a < b ? 1 : -1))
          .slice(0, most)
          .map(([, change]) => change);
      },
      async create(accountId, made, author) {
        const number = (numbered.get(accountId) ?? 0) + 1;
        numbered.set(accountId, number);
        if (lists.has(keyOf(accountId, made.name))) return 'exists';
        if (all(accountId).length >= MAX_LISTS) return 'full';
        const list = { ...made, number, version: 0 };
        lists.set(keyOf(accountId, list.name), list);
        types.set(keyOf(accountId, String(number)), list.type);
        note(accountId, 'created', list, { author, counts: NO_ENTRIES });
        return list;
      },
      async change(accountId, list, author) {
        const found = current(accountId, list);
        if (!found) return false;
        const { effect, note: text, updated_at } = list;
        lists.set(keyOf(accountId, list.name), { ...found, effect, note: text, updated_at });
        note(accountId, 'updated', list, { author, counts: NO_ENTRIES });
        return true;
      },
      async remove(accountId, list, author) {
        if (!current(accountId, list)) return false;
        lists.delete(keyOf(accountId, list.name));
        purges.add(keyOf(accountId, String(list.number)));
        note(accountId, 'deleted', list, { author, counts: { ...NO_ENTRIES, removed: list.entries } });
        return true;
      },
    },
    listEntries: {
      async put(accountId, list, { entries, author, isLast, record }) {
        const found = current(accountId, list);
        if (!found) return 'gone';
        const on = entriesOf(accountId, list.number);
        const updated = entries.filter(({ ref }) => on.has(ref.key)).length;
        const added = entries.length - updated;
        if (added > 0 && found.entries + added > maxEntries(list)) return 'full';
        const answer = isLast ? record?.(added, updated) : undefined;
        if (answer && !answers.isFree(accountId, answer.scope, author.nowMs)) throw new ClaimTaken();
        if (answer) answers.put(accountId, answer, author.nowMs);
        for (const entry of entries) {
          const before = on.get(entry.ref.key);
          const first = { added_at: new Date(author.nowMs).toISOString(), added_by: author.by };
          const { added_at, added_by } = before ?? first;
          on.set(entry.ref.key, { list: list.name, entry, added_at, added_by });
          if (!hasFlags(list.type)) continue;
          const flag = flagUpdate(list.number, entry.expires_at_ms, author.nowMs);
          entities.of(accountId).flag(entry.ref.key, flag, author.nowMs);
        }
        lists.set(keyOf(accountId, list.name), {
          ...found,
          entries: found.entries + added,
          version: found.version + 1,
        });
        note(accountId, 'entries', list, {
          ...{ author, counts: { added, updated, removed: 0 } },
          names: entries.map(({ ref }) => ref.key),
        });
        return { added, updated };
      },
      async remove(accountId, list, wanted, { author, expiredAtMs }) {
        const found = current(accountId, list);
        const on = entriesOf(accountId, list.number);
        const isExpired = (each: HeldEntry): boolean =>
          expiredAtMs === undefined || (each.entry.expires_at_ms ?? Number.POSITIVE_INFINITY) <= expiredAtMs;
        const gone = wanted.filter((entity) => {
          const each = on.get(entity);
          return each !== undefined && isExpired(each);
        });
        if (!found || gone.length === 0) return 0;
        for (const entity of gone) {
          on.delete(entity);
          unflag(accountId, list, entity);
        }
        lists.set(keyOf(accountId, list.name), {
          ...found,
          entries: found.entries - gone.length,
          version: found.version + 1,
        });
        const names = gone.length === wanted.length ? wanted : [];
        note(accountId, 'entries', list, { author, counts: { added: 0, updated: 0, removed: gone.length }, names });
        return gone.length;
      },
      async find(accountId, list, entity) {
        const found = entriesOf(accountId, list.number).get(entity);
        return found && shown(found);
      },
      async page(accountId, list, { limit, after = '' }) {
        const keys = [...entriesOf(accountId, list.number).keys()].filter((key) => key > after).sort();
        const page = keys.slice(0, limit);
        const entries = page.flatMap((key) => entriesOf(accountId, list.number).get(key) ?? []);
        return { entries: entries.map(shown), next: keys.length > limit ? page.at(-1) : undefined };
      },
      async purge(accountId, number) {
        const key = keyOf(accountId, String(number));
        if (!purges.delete(key)) return false;
        const type = types.get(key) ?? 'user_id';
        for (const entity of entriesOf(accountId, number).keys()) unflag(accountId, { number, type }, entity);
        held.delete(key);
        return false;
      },
      async due(_shard, nowMs) {
        const split = (key: string) => {
          const [accountId = '', number = ''] = key.split('/');
          return { accountId, number: Number(number) };
        };
        const entries = [...held].flatMap(([key, on]) =>
          [...on]
            .filter(([, { entry }]) => entry.expires_at_ms !== undefined && entry.expires_at_ms <= nowMs)
            .map(([entity]) => ({ kind: 'entry' as const, ...split(key), entity })),
        );
        return [...[...purges].map((key) => ({ kind: 'purge' as const, ...split(key) })), ...entries];
      },
      listOf: async (accountId, number, entity) => entriesOf(accountId, number).get(entity)?.list,
      async entriesOf(accountId, number) {
        const on = [...entriesOf(accountId, number)];
        return {
          untilMs: new Map(on.map(([key, { entry }]) => [key, entry.expires_at_ms])),
          scopes: new Set(on.flatMap(([, { entry }]) => entry.scope ?? [])),
        };
      },
      async flags(accountId, refs) {
        return new Map(
          refs.map(({ key }) => {
            const item = plainItem(entities.of(accountId).item(key, 0) ?? {});
            return [key, Object.entries(item).flatMap(([name, value]) => listFlag(name, value) ?? [])] as const;
          }),
        );
      },
    },
  };
}
