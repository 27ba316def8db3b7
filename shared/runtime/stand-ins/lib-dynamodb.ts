import { type Command, commandOf, type DynamoDBClient } from './service-clients';
import { fromWireItem, toWireItem, type WireItem } from './wire-values';

/* Stands in for `@aws-sdk/lib-dynamodb` in bundles (lib/bundling). */

/** A command of documents; others have items in wire format already, also if the document client sends them. */
const documentCommandOf = (operation: string) =>
  class extends commandOf(operation) {
    readonly hasDocuments = true;
  };

export const BatchGetCommand = documentCommandOf('BatchGetItem');
export const DeleteCommand = documentCommandOf('DeleteItem');
export const GetCommand = documentCommandOf('GetItem');
export const PutCommand = documentCommandOf('PutItem');
export const QueryCommand = documentCommandOf('Query');
export const ScanCommand = documentCommandOf('Scan');
export const TransactWriteCommand = documentCommandOf('TransactWriteItems');
export const UpdateCommand = documentCommandOf('UpdateItem');

type Members = Readonly<Record<string, unknown>>;
type Change = (value: never) => unknown;

function change(members: Members, changes: Readonly<Record<string, Change>>): object {
  const changed: Record<string, unknown> = { ...members };
  for (const name in changes) {
    if (changed[name] !== undefined) changed[name] = (changes[name] as Change)(changed[name] as never);
  }
  return changed;
}

const each =
  (one: Change): Change =>
  (values: readonly never[]) =>
    values.map(one);

const everyMember =
  (one: Change): Change =>
  (members: Members) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, one(value as never)]));

const encoded = (document: Record<string, unknown>): WireItem => toWireItem(document);
const decoded = (item: WireItem): object => fromWireItem(item);

const WRITE: Readonly<Record<string, Change>> = {
  Key: encoded,
  Item: encoded,
  ExclusiveStartKey: encoded,
  ExpressionAttributeValues: encoded,
};
const write = (input: Members): object => change(input, WRITE);

const REQUEST: Readonly<Record<string, Change>> = {
  ...WRITE,
  TransactItems: each(everyMember(write)),
  RequestItems: everyMember((table: Members) => change(table, { Keys: each(encoded) })),
};

const ANSWER: Readonly<Record<string, Change>> = {
  Item: decoded,
  Attributes: decoded,
  LastEvaluatedKey: decoded,
  Items: each(decoded),
  Responses: everyMember(each(decoded)),
  UnprocessedKeys: everyMember((table: Members) => change(table, { Keys: each(decoded) })),
};

export class DynamoDBDocumentClient {
  static from(client: DynamoDBClient): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(client);
  }

  private constructor(private readonly client: DynamoDBClient) {}

  async send(command: Command, options?: Parameters<DynamoDBClient['send']>[1]): Promise<object> {
    if (!('hasDocuments' in command)) return this.client.send(command, options);
    const { operation, input } = command;
    const answer = await this.client.send({ operation, input: change(input as Members, REQUEST) }, options);
    return change(answer as Members, ANSWER);
  }
}
