import {
  DeleteCommand,
  type DeleteCommandInput,
  GetCommand,
  type GetCommandInput,
  type GetCommandOutput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { falseIfRefused, reach, type Table } from './client';
import { DUE_INDEX, type Key } from './key';

/* One call each. Reads are strongly consistent unless they say otherwise; what a retry may cure is `unavailable`. */

export type Item = NonNullable<GetCommandOutput['Item']>;

type Rest<Input> = Omit<Input, 'TableName' | 'Key' | 'Item'>;

export async function getItem(
  table: Table,
  { ...Key }: Key,
  rest: Rest<GetCommandInput> = {},
): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true, ...rest });
  return (await reach(() => table.client.send(command))).Item;
}

export async function putItem(table: Table, { ...Item }: object, rest: Rest<PutCommandInput> = {}): Promise<void> {
  const command = new PutCommand({ TableName: table.name, Item, ...rest });
  await reach(() => table.client.send(command));
}

export function updateItem(
  table: Table,
  { ...Key }: Key,
  rest: Rest<UpdateCommandInput>,
): Promise<UpdateCommandOutput> {
  const command = new UpdateCommand({ TableName: table.name, Key, ...rest });
  return reach(() => table.client.send(command));
}

export async function deleteItem(table: Table, { ...Key }: Key, rest: Rest<DeleteCommandInput> = {}): Promise<void> {
  const command = new DeleteCommand({ TableName: table.name, Key, ...rest });
  await reach(() => table.client.send(command));
}

/** Whether a write was carried out: a failed condition is a result, anything else an error. */
export const isAccepted = (write: Promise<unknown>): Promise<boolean> => write.then(() => true, falseIfRefused);

/** One page of a query: at most 1 MB. */
export function queryPage(table: Table, input: Rest<QueryCommandInput>): Promise<QueryCommandOutput> {
  const command = new QueryCommand({ TableName: table.name, ConsistentRead: true, ...input });
  return reach(() => table.client.send(command));
}

/** The pages of a query; each is read when it is asked for. */
export async function* queryPages(table: Table, input: Rest<QueryCommandInput>): AsyncGenerator<QueryCommandOutput> {
  let from = input.ExclusiveStartKey;
  do {
    const page = await queryPage(table, { ...input, ...(from ? { ExclusiveStartKey: from } : {}) });
    yield page;
    from = page.LastEvaluatedKey;
  } while (from);
}

/** All that a query finds, or as much as its limit. */
export async function queryAll(table: Table, input: Rest<QueryCommandInput>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const { Items: items = [] } of queryPages(table, input)) {
    found.push(...items);
    if (found.length >= (input.Limit ?? Number.POSITIVE_INFINITY)) break;
  }
  return found.slice(0, input.Limit);
}

/** All items of a partition, or those whose sort key begins with a prefix. */
export const queryPrefix = (
  table: Table,
  pk: string,
  prefix?: string,
  rest: Rest<QueryCommandInput> = {},
): Promise<Item[]> =>
  queryAll(table, {
    KeyConditionExpression: prefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ...(prefix === undefined ? {} : { ':prefix': prefix }) },
    ...rest,
  });

/** The work that is due by now in a shard of its index, the longest overdue first. */
export async function queryDue(table: Table, pk: string, nowMs: number, limit: number): Promise<Item[]> {
  const { Items: items = [] } = await queryPage(table, {
    IndexName: DUE_INDEX,
    KeyConditionExpression: 'due_pk = :pk AND due_sk <= :now',
    ExpressionAttributeValues: { ':pk': pk, ':now': new Date(nowMs).toISOString() },
    ConsistentRead: false,
    Limit: limit,
  });
  return items;
}
