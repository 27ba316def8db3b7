import { hasFlags, type ListDefinition, type ListType, type RemovedBy } from '../../domain/lists/list-definition';
import {
  entityKey,
  LIST_DUE_SHARDS,
  LIST_PURGE_SK,
  listDuePk,
  listEntriesPk,
  listEntryKey,
  listPurgeKey,
} from '../keys';
import { batchGet } from '../sdk/batch-get';
import type { Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { queryDue, queryPage } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';
import { unflaggedItem } from './entry-items';
import { MOST_AT_ONCE } from './entry-store';
import { changeItem, countEntries, isSameList } from './list-store';

export const LIST_SHARDS: readonly number[] = Array.from({ length: LIST_DUE_SHARDS }, (_, shard) => shard);

const TRANSACTION_LIMIT_MS = 8_000;

interface Removal {
  readonly accountId: string;
  readonly number: number;
  readonly type: ListType;
  readonly entities: readonly string[];
  /** Only entries that have expired by then. @default all */
  readonly expiredAtMs?: number | undefined;
}

async function removalItems(table: Table, removal: Removal): Promise<{ found: number; items: TransactItem[] }> {
  const { accountId, number, type, entities, expiredAtMs } = removal;
  const keyOf = (entity: string): Key => listEntryKey(accountId, number, entity);
  const flagged = hasFlags(type) ? entities.map((entity) => entityKey(accountId, entity)) : [];
  const read = await batchGet(table, [...entities.map(keyOf), ...flagged]);
  const there = entities.filter((entity) => {
    const item = read(keyOf(entity));
    return item !== undefined && (expiredAtMs === undefined || Number(item.expires_at_ms) <= expiredAtMs);
  });
  const isStillThere =
    expiredAtMs === undefined
      ? { ConditionExpression: 'attribute_exists(pk)' }
      : { ConditionExpression: 'expires_at_ms <= :now', ExpressionAttributeValues: { ':now': expiredAtMs } };
  const deleted = there.map((entity) => ({ Delete: { Key: keyOf(entity), ...isStillThere } }));
  const unflagged = there.flatMap((entity) => {
    const item = hasFlags(type) ? read(entityKey(accountId, entity)) : undefined;
    return unflaggedItem({ accountId, number }, entity, item) ?? [];
  });
  return { found: there.length, items: [...deleted, ...unflagged] };
}

export type DueEntry =
  | { readonly kind: 'entry'; readonly accountId: string; readonly number: number; readonly entity: string }
  | { readonly kind: 'purge'; readonly accountId: string; readonly number: number };

function dueOf({ pk, sk }: Key): DueEntry {
  const [, accountId = '', number = ''] = pk.split('#');
  const of = { accountId, number: Number(number) };
  return sk === LIST_PURGE_SK ? { kind: 'purge', ...of } : { kind: 'entry', ...of, entity: sk };
}

export function entryRemover(table: Table) {
  return {
    /** Takes entries off a list, by the names of their entities; returns how many were on it. */
    async remove(
      accountId: string,
      list: ListDefinition,
      entities: readonly string[],
      { author, expiredAtMs }: RemovedBy,
    ): Promise<number> {
      for (;;) {
        const of = { accountId, number: list.number, type: list.type, entities, expiredAtMs };
        const { found, items } = await removalItems(table, of);
        if (found === 0) return 0;
        const counts = { added: 0, updated: 0, removed: found };
        const names = found === entities.length ? entities : [];
        const rest = [
          countEntries(accountId, list, -found),
          changeItem(accountId, list, { kind: 'entries', author, counts, isLast: true, names }),
        ];
        const outcome = await transact(table, [...rest, ...items], TRANSACTION_LIMIT_MS);
        if (outcome.committed) return found;
        // Otherwise an entry or a flag changed since it was read: read again.
        if (outcome.failed.includes(0) && !(await isSameList(table, accountId, list))) return 0;
      }
    },

    /** Removes some of what is left of a deleted list; false once nothing is. */
    async purge(accountId: string, number: number): Promise<boolean> {
      const { Items: items = [] } = await queryPage(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': listEntriesPk(accountId, number) },
        Limit: MOST_AT_ONCE,
      });
      const mark = items.find(({ sk }) => sk === LIST_PURGE_SK);
      if (mark === undefined) return false;
      const entities = items.filter((item) => item !== mark).map(({ sk }) => sk as string);
      const isDone = items.length < MOST_AT_ONCE;
      const removal = { accountId, number, type: mark.type as ListType, entities };
      const { items: removed } = entities.length === 0 ? { items: [] } : await removalItems(table, removal);
      const last = isDone ? [{ Delete: { Key: listPurgeKey(accountId, number) } }] : [];
      const outcome = await transact(table, [...removed, ...last], TRANSACTION_LIMIT_MS);
      return !(outcome.committed && isDone);
    },

    /** Due entries and lists, the longest overdue first. */
    async due(shard: number, nowMs: number, limit: number): Promise<DueEntry[]> {
      const items = await queryDue(table, listDuePk(shard), nowMs, limit);
      return items.map((item) => dueOf(item as unknown as Key));
    },

    async listOf(accountId: string, number: number, entity: string): Promise<string | undefined> {
      const Key = listEntryKey(accountId, number, entity);
      const read = await batchGet(table, [Key]);
      return read(Key)?.list as string | undefined;
    },
  };
}
