import { type AfdTypes, NO_AFD_TYPES } from '../../domain/afd/afd-types';
import { afdTypesKey } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, isAccepted, putItem } from '../sdk/table-calls';

/** Types that accounts declared through Amazon Fraud Detector's client: one item per account. */
export function afdTypeStore(table: Table) {
  return {
    async find(accountId: string): Promise<{ readonly revision: number; readonly types: AfdTypes }> {
      const item = await getItem(table, afdTypesKey(accountId));
      if (!item) return { revision: 0, types: NO_AFD_TYPES };
      return { revision: item.revision as number, types: JSON.parse(item.types as string) as AfdTypes };
    },

    /** False if somebody else has changed them since that revision. */
    async save(accountId: string, types: AfdTypes, since: number): Promise<boolean> {
      const members = { entity: 'afd-types', revision: since + 1, types: JSON.stringify(types) };
      const item = { ...afdTypesKey(accountId), ...members };
      const put = putItem(table, item, {
        ConditionExpression: 'attribute_not_exists(pk) OR revision = :since',
        ExpressionAttributeValues: { ':since': since },
      });
      return await isAccepted(put);
    },
  };
}
