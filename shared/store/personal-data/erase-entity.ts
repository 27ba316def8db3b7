import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { unavailable } from '../../domain/errors';
import { evidenceChange, isEvidence } from '../entities/fraud-evidence';
import { accountOfPk } from '../keys';
import { listReader } from '../lists/list-store';
import type { EntityItem } from '../sdk/attribute-value';
import { reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { deleteItem, updateItem } from '../sdk/table-calls';

/** Erases an entity's item; until the given time, if there is one, evidence of fraud stays. */
export function entityEraser(table: Table) {
  /** As DynamoDB sends it: counters have up to 38 digits. */
  async function read({ pk, sk }: Key): Promise<EntityItem | undefined> {
    const Keys = [{ pk: { S: pk }, sk: { S: sk } }];
    const command = new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys: left = {} } = await reach(() => table.client.send(command));
    if (Object.keys(left).length > 0) throw unavailable(new Error('DynamoDB had no time for an entity'));
    return Responses?.[table.name]?.[0] as EntityItem | undefined;
  }

  return {
    async erase(key: Key, nowMs: number, untilMs: number | undefined): Promise<boolean> {
      const item = untilMs === undefined ? undefined : await read(key);
      if (untilMs !== undefined && item !== undefined) {
        if (isEvidence(item)) return false;
        const lists = await listReader(table).all(accountOfPk(key.pk));
        const blocking = new Set(lists.flatMap(({ effect, number }) => (effect === 'block' ? [number] : [])));
        const change = evidenceChange(item, { untilMs, blocking }, nowMs);
        if (change !== undefined) {
          const { kind: _, ...update } = change;
          await updateItem(table, key, update);
          return true;
        }
      }
      await deleteItem(table, key);
      return true;
    },
  };
}
