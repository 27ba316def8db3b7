import type { AfdMapping } from '../../domain/afd/afd-mapping';
import { afdMappingKey } from '../keys';
import type { Table } from '../sdk/client';
import { deleteItem, getItem, putItem } from '../sdk/table-calls';

export function afdMappingReader(table: Table) {
  return {
    async find(accountId: string): Promise<AfdMapping | undefined> {
      const item = await getItem(table, afdMappingKey(accountId));
      // As JSON: columns may have names that no document path takes.
      return item && (JSON.parse(item.mapping as string) as AfdMapping);
    },
  };
}

export function afdMappingStore(table: Table) {
  return {
    ...afdMappingReader(table),

    async save(accountId: string, mapping: AfdMapping): Promise<void> {
      await putItem(table, { ...afdMappingKey(accountId), entity: 'afd-mapping', mapping: JSON.stringify(mapping) });
    },

    async remove(accountId: string): Promise<void> {
      await deleteItem(table, afdMappingKey(accountId));
    },
  };
}
