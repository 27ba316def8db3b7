import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localClient } from '../../../shared/runtime/admin-wiring';
import type { Table } from '../../../shared/store/sdk/client';
import { localRun } from '../local-run';

/** A table like the one of the run under test, but empty, and with nobody at work on it; gone when the tests are. */
export async function emptyTable(): Promise<Table> {
  const { outputs } = localRun();
  const client = new DynamoDBClient(localClient(localRun()));
  const { Table: like } = await client.send(new DescribeTableCommand({ TableName: outputs.TableName }));
  const name = `table-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: like?.KeySchema,
      AttributeDefinitions: like?.AttributeDefinitions,
      GlobalSecondaryIndexes: like?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  tables.push(async () => {
    await client.send(new DeleteTableCommand({ TableName: name }));
    client.destroy();
  });
  const marshallOptions = { removeUndefinedValues: true };
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions }), name };
}

const tables: (() => Promise<void>)[] = [];

afterAll(async () => {
  await Promise.all(tables.map((remove) => remove()));
});
