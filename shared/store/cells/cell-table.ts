import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { falseIfRefused, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { keyOfItem, nameOfKey, type StoredItem } from './account-items';

const MOST_KEYS = 100;
/** Parts of the table that are read at the same time. */
export const SEGMENTS = 8;

type From = Record<string, AttributeValue> | undefined;

const keyOf = ({ pk, sk }: Key): Record<string, AttributeValue> => ({ pk: { S: pk }, sk: { S: sk } });

/** The table of a deployment that takes part in a move: whole items, read consistently; only for administrators. */
export function cellTable({ client, name: TableName }: Table) {
  async function page(accountId: string, segment: number, from: From): Promise<{ items: StoredItem[]; next: From }> {
    const { Items: items = [], LastEvaluatedKey: next } = await client.send(
      new ScanCommand({
        TableName,
        ConsistentRead: true,
        Segment: segment,
        TotalSegments: SEGMENTS,
        // Costs what an unfiltered one does, but sends less; who owns an item is decided by `travelOf`.
        FilterExpression: 'contains(pk, :id) OR sk = :id OR account_id = :id',
        ExpressionAttributeValues: { ':id': { S: accountId } },
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
    );
    return { items, next };
  }

  return {
    /** The items that may be an account's, a page of each part of the table at a time. */
    async *scan(accountId: string): AsyncGenerator<StoredItem[]> {
      let parts: { readonly segment: number; readonly from: From }[] = Array.from(
        { length: SEGMENTS },
        (_, segment) => ({
          segment,
          from: undefined,
        }),
      );
      while (parts.length > 0) {
        const pages = await Promise.all(
          parts.map(async ({ segment, from }) => ({ segment, ...(await page(accountId, segment, from)) })),
        );
        yield pages.flatMap(({ items }) => items);
        parts = pages.flatMap(({ segment, next }) => (next ? [{ segment, from: next }] : []));
      }
    },

    /** Items by the names of their keys. */
    async get(keys: readonly Key[]): Promise<ReadonlyMap<string, StoredItem>> {
      const found = new Map<string, StoredItem>();
      const rest = [...new Map(keys.map((key) => [nameOfKey(key), keyOf(key)])).values()];
      const worker = async (): Promise<void> => {
        while (rest.length > 0) {
          const Keys = rest.splice(0, MOST_KEYS);
          const { Responses, UnprocessedKeys } = await client.send(
            new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
          );
          for (const item of Responses?.[TableName] ?? []) found.set(nameOfKey(keyOfItem(item)), item);
          // What a busy table left out is asked for again.
          rest.push(...(UnprocessedKeys?.[TableName]?.Keys ?? []));
        }
      };
      await Promise.all(Array.from({ length: SEGMENTS }, worker));
      return found;
    },

    async query(pk: string, prefix = ''): Promise<StoredItem[]> {
      const items: StoredItem[] = [];
      let from: From;
      do {
        const answer: { Items?: StoredItem[] | undefined; LastEvaluatedKey?: From } = await client.send(
          new QueryCommand({
            TableName,
            ConsistentRead: true,
            KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':pk': { S: pk }, ...(prefix === '' ? {} : { ':prefix': { S: prefix } }) },
            ...(from ? { ExclusiveStartKey: from } : {}),
          }),
        );
        items.push(...(answer.Items ?? []));
        from = answer.LastEvaluatedKey;
      } while (from);
      return items;
    },

    /** Writes an item as it is; with a condition, whether it was met. */
    put: (item: StoredItem, condition?: string): Promise<boolean> =>
      client
        .send(
          new PutItemCommand({
            TableName,
            Item: { ...item },
            ...(condition ? { ConditionExpression: condition } : {}),
          }),
        )
        .then(() => true, falseIfRefused),

    async remove(key: Key): Promise<void> {
      await client.send(new DeleteItemCommand({ TableName, Key: keyOf(key) }));
    },
  };
}

export type CellTable = ReturnType<typeof cellTable>;
