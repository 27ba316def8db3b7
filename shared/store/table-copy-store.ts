import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { canonicalItem, fromWire, toWire, type WireItem } from './sdk/wire-item';

export type Restored = 'written' | 'same' | 'different';

const isSame = (one: WireItem, other: WireItem): boolean => canonicalItem(one) === canonicalItem(other);

/** A whole table, for backups; only for administrators, no function has such permissions. */
export function tableCopyStore(client: DynamoDBClient, name: string) {
  return {
    name,

    /** A page of the table, up to a megabyte, and where the next one begins. */
    async scan(from: WireItem | undefined): Promise<{ items: WireItem[]; next: WireItem | undefined }> {
      const start = from ? { ExclusiveStartKey: fromWire(from) } : {};
      const page = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true, ...start }));
      return {
        items: (page.Items ?? []).map(toWire),
        next: page.LastEvaluatedKey && toWire(page.LastEvaluatedKey),
      };
    },

    /** Restores an item unless one is there already; then reports whether that one is the same. */
    async restore(item: WireItem): Promise<Restored> {
      const command = new PutItemCommand({
        TableName: name,
        Item: fromWire(item),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await client.send(command);
        return 'written';
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
        return isSame(toWire(error.Item), item) ? 'same' : 'different';
      }
    },

    /** Replaces a list of texts in an item; false if the list has changed or the item is gone. */
    async replaceList(item: WireItem, attribute: string, by: readonly string[]): Promise<boolean> {
      const { pk, sk, [attribute]: old } = fromWire(item);
      const command = new UpdateItemCommand({
        TableName: name,
        Key: { pk: pk as AttributeValue, sk: sk as AttributeValue },
        UpdateExpression: 'SET #list = :new',
        ConditionExpression: '#list = :old',
        ExpressionAttributeNames: { '#list': attribute },
        ExpressionAttributeValues: { ':new': { L: by.map((S) => ({ S })) }, ':old': old as AttributeValue },
      });
      return client.send(command).then(
        () => true,
        (error) => {
          if (error instanceof ConditionalCheckFailedException) return false;
          throw error;
        },
      );
    },

    /** Replaces a text in an item; false if it has changed or the item is gone. */
    async replaceText(item: WireItem, attribute: string, by: string): Promise<boolean> {
      const { pk, sk, [attribute]: old } = fromWire(item);
      const command = new UpdateItemCommand({
        TableName: name,
        Key: { pk: pk as AttributeValue, sk: sk as AttributeValue },
        UpdateExpression: 'SET #text = :new',
        ConditionExpression: '#text = :old',
        ExpressionAttributeNames: { '#text': attribute },
        ExpressionAttributeValues: { ':new': { S: by }, ':old': old as AttributeValue },
      });
      return client.send(command).then(
        () => true,
        (error) => {
          if (error instanceof ConditionalCheckFailedException) return false;
          throw error;
        },
      );
    },

    async overwrite(item: WireItem): Promise<void> {
      await client.send(new PutItemCommand({ TableName: name, Item: fromWire(item) }));
    },
  };
}

export type TableCopyStore = ReturnType<typeof tableCopyStore>;
