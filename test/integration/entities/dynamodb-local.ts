import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { EntityItem, UpdateParams } from '../../../shared/store/sdk/attribute-value';

/** The result of an update: the item before it, or, for a repeat, the item that already counts it. */
export interface Reply {
  readonly old: EntityItem | undefined;
  readonly refused: boolean;
}

export interface EntityTable {
  update(pk: string, params: Partial<UpdateParams>): Promise<Reply>;
  get(pk: string): Promise<EntityItem | undefined>;
  stop(): void;
}

/** A separate database in the DynamoDB Local of this test run, with one table whose only key is `pk`. */
export async function startEntityTable(): Promise<EntityTable> {
  // Another access key is another database.
  const accessKeyId = randomUUID().replaceAll('-', '');
  const client = new DynamoDBClient({
    endpoint: process.env.LOCAL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  await client.send(
    new CreateTableCommand({
      TableName: 'entities',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  const key = (pk: string) => ({ TableName: 'entities', Key: { pk: { S: pk } } });
  return {
    async update(pk, params) {
      const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues, ConditionExpression } = params;
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            ...key(pk),
            UpdateExpression,
            ExpressionAttributeNames,
            ExpressionAttributeValues: ExpressionAttributeValues as never,
            ConditionExpression,
            ReturnValues: 'ALL_OLD',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { old: Attributes as EntityItem | undefined, refused: false };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return { old: error.Item as EntityItem | undefined, refused: true };
      }
    },
    async get(pk) {
      const { Item } = await client.send(new GetItemCommand({ ...key(pk), ConsistentRead: true }));
      return Item as EntityItem | undefined;
    },
    stop: () => client.destroy(),
  };
}
