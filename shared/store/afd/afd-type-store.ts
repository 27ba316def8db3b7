import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type AfdTypes, NO_AFD_TYPES } from '../../domain/afd/afd-types';
import { afdTypesKey } from '../keys';
import { falseIfRefused, reach, type Table } from '../sdk/client';

/** Types that accounts declared through Amazon Fraud Detector's client: one item per account. */
export function afdTypeStore(table: Table) {
  return {
    async find(accountId: string): Promise<{ readonly revision: number; readonly types: AfdTypes }> {
      const command = new GetCommand({
        TableName: table.name,
        Key: { ...afdTypesKey(accountId) },
        ConsistentRead: true,
      });
      const { Item: item } = await reach(() => table.client.send(command));
      if (!item) return { revision: 0, types: NO_AFD_TYPES };
      return { revision: item.revision as number, types: JSON.parse(item.types as string) as AfdTypes };
    },

    /** False if somebody else has changed them since that revision. */
    async save(accountId: string, types: AfdTypes, since: number): Promise<boolean> {
      const command = new PutCommand({
        TableName: table.name,
        Item: {
          ...afdTypesKey(accountId),
          entity: 'afd-types',
          revision: since + 1,
          types: JSON.stringify(types),
        },
        ConditionExpression: 'attribute_not_exists(pk) OR revision = :since',
        ExpressionAttributeValues: { ':since': since },
      });
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}
