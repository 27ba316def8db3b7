import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AfdMapping } from '../../domain/afd/afd-mapping';
import { afdMappingKey } from '../keys';
import { reach, type Table } from '../sdk/client';

export function afdMappingReader(table: Table) {
  return {
    async find(accountId: string): Promise<AfdMapping | undefined> {
      const command = new GetCommand({
        TableName: table.name,
        Key: { ...afdMappingKey(accountId) },
        ConsistentRead: true,
      });
      const { Item: item } = await reach(() => table.client.send(command));
      // As JSON: columns may have names that no document path takes.
      return item && (JSON.parse(item.mapping as string) as AfdMapping);
    },
  };
}

export function afdMappingStore(table: Table) {
  return {
    ...afdMappingReader(table),

    async save(accountId: string, mapping: AfdMapping): Promise<void> {
      const Item = { ...afdMappingKey(accountId), entity: 'afd-mapping', mapping: JSON.stringify(mapping) };
      await reach(() => table.client.send(new PutCommand({ TableName: table.name, Item })));
    },

    async remove(accountId: string): Promise<void> {
      const Key = { ...afdMappingKey(accountId) };
      await reach(() => table.client.send(new DeleteCommand({ TableName: table.name, Key })));
    },
  };
}
