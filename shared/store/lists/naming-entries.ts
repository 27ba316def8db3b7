import { entityPath, type ListDefinition } from '../../domain/lists/list-definition';
import type { NamingEntry } from '../../domain/personal-data/user-export';
import type { Sealer } from '../../domain/sealer';
import { listEntryKey } from '../keys';
import { batchGet } from '../sdk/batch-get';
import type { Table } from '../sdk/client';
import { toEntry } from './entry-items';
import { listReader } from './list-store';

/** Finds the entries of lists that stand for given entities: what an export of personal data must show. */
export function namingEntries(table: Table, sealer: Sealer) {
  const lists = listReader(table);
  return {
    async entries(accountId: string, entities: readonly string[]): Promise<NamingEntry[]> {
      const candidates = (await lists.all(accountId)).flatMap((list: ListDefinition) => {
        const path = entityPath(list.type);
        return entities
          .filter((entity) => path !== undefined && entity.startsWith(`${path}#`))
          .map((entity) => ({ list, entity, key: listEntryKey(accountId, list.number, entity) }));
      });
      if (candidates.length === 0) return [];
      const read = await batchGet(
        table,
        candidates.map(({ key }) => key),
      );
      const found = candidates.flatMap(({ list, entity, key }) => {
        const item = read(key);
        return item === undefined ? [] : [{ list, entity, item }];
      });
      return Promise.all(
        found.map(async ({ list, entity, item }) => ({
          list: list.name,
          entity,
          ...(await toEntry(sealer, accountId, list.number, item)),
        })),
      );
    },
  };
}
