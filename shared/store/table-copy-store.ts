import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB sends it; bytes in base64, as in JSON. */
export type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Item = Record<string, AttributeValue>;

/** What became of an item that was to be restored. */
export type Restored = 'written' | 'same' | 'different';

type Value = Readonly<Record<string, unknown>>;

/** Rebuilds a value and its parts: `bytes` converts binaries, `set` may put the members of a set in order. */
function rebuild(value: Value, bytes: (content: unknown) => unknown, set = (members: unknown[]) => members): Value {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  const part = (each: Value): Value => rebuild(each, bytes, set);
  switch (type) {
    case 'B':
      return { B: bytes(content) };
    case 'BS':
      return { BS: set((content as unknown[]).map(bytes)) };
    case 'SS':
    case 'NS':
      return { [type]: set([...(content as unknown[])]) };
    case 'L':
      return { L: (content as Value[]).map(part) };
    case 'M':
      return { M: rebuildItem(content as WireItem, part) };
    default:
      return value;
  }
}

const rebuildItem = (item: Readonly<Record<string, Value>>, part: (value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(item)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, part(value)]),
  );

const toBase64 = (content: unknown): string => Buffer.from(content as Uint8Array).toString('base64');
const fromBase64 = (content: unknown): Uint8Array => Buffer.from(content as string, 'base64');

const toWire = (item: Item): WireItem => rebuildItem(item as unknown as WireItem, (value) => rebuild(value, toBase64));
const fromWire = (item: WireItem): Item => rebuildItem(item, (value) => rebuild(value, fromBase64)) as unknown as Item;

/** The same text for equal items: members and sets have no order. */
const canonical = (item: WireItem): string =>
  JSON.stringify(rebuildItem(item, (value) => rebuild(value, String, (members) => members.sort())));
const isSame = (one: WireItem, other: WireItem): boolean => canonical(one) === canonical(other);

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

    /** Restores an item, overwriting what is there. */
    async overwrite(item: WireItem): Promise<void> {
      await client.send(new PutItemCommand({ TableName: name, Item: fromWire(item) }));
    },
  };
}

export type TableCopyStore = ReturnType<typeof tableCopyStore>;
