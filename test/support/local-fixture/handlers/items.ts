import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});
const TableName = process.env.TABLE_NAME;

interface ApiEvent {
  readonly httpMethod: string;
  readonly pathParameters: { readonly id: string };
  readonly body: string;
}

/** Stores and reads an item; `kind` and `poison` steer what the stream consumer makes of it. */
export const handler = async ({ httpMethod, pathParameters: { id }, body }: ApiEvent) => {
  if (httpMethod === 'GET') {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: id } }, ConsistentRead: true }));
    return { statusCode: Item ? 200 : 404, body: JSON.stringify(Item ?? {}) };
  }
  const { kind, poison } = JSON.parse(body) as { kind: string; poison?: boolean };
  const Item = { pk: { S: id }, kind: { S: kind }, ...(poison ? { poison: { BOOL: true } } : {}) };
  await client.send(new PutItemCommand({ TableName, Item }));
  return { statusCode: 201, body: '{}' };
};
