import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Billing, scalesWithTraffic, throttle, tokenBuckets } from '../../../bench/scale/experiment/throttle';
import { isThrottled } from '../../../shared/store/sdk/client';

describe('a token bucket', () => {
  const bucketAt = (perSecond: number, burst: number) => {
    const clock = { ms: 0 };
    return {
      clock,
      buckets: tokenBuckets(
        () => clock.ms,
        () => ({ perSecond, burst }),
      ),
    };
  };

  it('lets through what it holds, and then as much as flows in', () => {
    const { clock, buckets } = bucketAt(10, 5);
    let passed = 0;
    for (; clock.ms < 10_000; clock.ms += 10) {
      if (!buckets.has('a')) continue;
      buckets.use('a', 1);
      passed += 1;
    }
    expect(passed).toBeGreaterThanOrEqual(104);
    expect(passed).toBeLessThanOrEqual(106);
  });

  it('goes into debt for what is larger than it, and takes as long to recover', () => {
    const { clock, buckets } = bucketAt(2, 1);
    buckets.use('a', 5);
    clock.ms = 1_999;
    expect(buckets.has('a')).toBe(false);
    clock.ms = 2_001;
    expect(buckets.has('a')).toBe(true);
  });

  it('is one per key, never holds more than its burst, and is full after a reset', () => {
    const { clock, buckets } = bucketAt(1, 3);
    buckets.use('a', 3);
    expect([buckets.has('a'), buckets.has('b')]).toEqual([false, true]);
    clock.ms = 1_000_000;
    buckets.use('a', 3);
    expect(buckets.has('a')).toBe(false);
    buckets.reset();
    expect(buckets.has('a')).toBe(true);
  });
});

/** The throttle in front of a table that takes everything; the SDK is the client. */
async function withThrottle(
  run: (client: DynamoDBClient, use: (what: 'table' | 'writes' | 'reads', key: string) => void) => Promise<void>,
  billing?: Billing,
): Promise<void> {
  const buckets = () =>
    tokenBuckets(
      () => 0,
      () => ({ perSecond: 1, burst: 10 }),
    );
  const capacity = { table: buckets(), writes: buckets(), reads: buckets() };
  const { intercept } = throttle(() => capacity, scalesWithTraffic, billing);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(Buffer.concat(chunks).toString());
    const proceed = async () => ({ status: 200, body: '{"Responses":{}}' });
    const call = { service: 'dynamodb', operation, access: [], input, caller: 'ScreenTransaction' };
    const answer = (await intercept(call, proceed)) ?? (await proceed());
    if (answer === 'reset') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  try {
    await run(client, (what, key) => capacity[what].use(key, 1_000));
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

const TableName = 'table';
const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const update = (pk: string) =>
  new UpdateItemCommand({
    TableName,
    Key: keyOf(pk),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
const failureOf = (sent: Promise<unknown>): Promise<Error> =>
  sent.then(
    () => Promise.reject(new Error('passed')),
    (error) => error,
  );

describe('a partition without capacity', () => {
  it('answers a write as a table on demand does, and what the stores take for throttled', () =>
    withThrottle(async (client, use) => {
      await client.send(update('ENTITY#cold'));
      use('writes', 'ENTITY#hot');
      const error = await failureOf(client.send(update('ENTITY#hot')));
      expect(error).toMatchObject({ name: 'ThrottlingException', message: expect.stringContaining('hot key') });
      expect(isThrottled(error)).toBe(true);
      await client.send(update('ENTITY#cold'));
    }));

  it('answers as a provisioned table does', () =>
    withThrottle(async (client, use) => {
      use('writes', 'ENTITY#hot');
      const error = await failureOf(client.send(update('ENTITY#hot')));
      expect(error).toBeInstanceOf(ProvisionedThroughputExceededException);
      expect(isThrottled(error)).toBe(true);
    }, 'provisioned'));

  it('cancels a transaction with a reason for each item', () =>
    withThrottle(async (client, use) => {
      use('writes', 'TALLY#hot');
      const items = ['SUBJECT#1', 'TALLY#hot', 'CASES#1'].map((pk) => ({ Put: { TableName, Item: keyOf(pk) } }));
      const error = await failureOf(client.send(new TransactWriteItemsCommand({ TransactItems: items })));
      expect(error).toBeInstanceOf(TransactionCanceledException);
      const { CancellationReasons: reasons } = error as TransactionCanceledException;
      expect(reasons?.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError', 'None']);
      expect(error.message).toContain('[None, ThrottlingError, None]');
      // What was refused has used nothing.
      await client.send(new PutItemCommand({ TableName, Item: keyOf('SUBJECT#1') }));
    }));

  it('leaves its items out of a batch, and refuses one of which nothing is left', () =>
    withThrottle(async (client, use) => {
      use('reads', 'ENTITY#hot');
      use('writes', 'ENTITY#hot');
      const [hot, cold] = [keyOf('ENTITY#hot'), keyOf('ENTITY#cold')];
      const read = (...Keys: (typeof hot)[]) =>
        client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }));
      expect((await read(hot, cold)).UnprocessedKeys?.[TableName]?.Keys).toEqual([hot]);
      expect((await read(cold)).UnprocessedKeys).toBeUndefined();
      expect((await failureOf(read(hot))).name).toBe('ThrottlingException');
      const puts = [hot, cold].map((Item) => ({ PutRequest: { Item } }));
      const written = await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
      expect(written.UnprocessedItems?.[TableName]).toEqual([puts[0]]);
    }));

  it('of an index holds up the writes that reach it', () =>
    withThrottle(async (client, use) => {
      use('writes', 'DUE#case#1');
      const put = (due: string) =>
        client.send(new PutItemCommand({ TableName, Item: { ...keyOf('SUBJECT#1'), due_pk: { S: due } } }));
      expect((await failureOf(put('DUE#case#1'))).name).toBe('ThrottlingException');
      await put('DUE#case#2');
    }));

  it('holds up reads and writes apart from each other', () =>
    withThrottle(async (client, use) => {
      use('reads', 'ENTITY#hot');
      await client.send(update('ENTITY#hot'));
      expect((await failureOf(client.send(new GetItemCommand({ TableName, Key: keyOf('ENTITY#hot') })))).name).toBe(
        'ThrottlingException',
      );
      const query = new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'ENTITY#hot' } },
      });
      expect((await failureOf(client.send(query))).name).toBe('ThrottlingException');
    }));
});

it('a table without capacity takes no write, whatever its key', () =>
  withThrottle(async (client, use) => {
    use('table', 'table');
    expect((await failureOf(client.send(update('ENTITY#cold')))).name).toBe('ThrottlingException');
    await client.send(new GetItemCommand({ TableName, Key: keyOf('ENTITY#cold') }));
  }));

describe('what scaled-down limits apply to', () => {
  const call = (caller: string, operation: string, input: object) => ({
    ...{ service: 'dynamodb', operation, access: [], caller },
    input: input as Record<string, unknown>,
  });
  const moving = (...names: string[]) => ({
    TransactItems: names.map((pk) => ({ Update: { Key: { pk: { S: pk }, sk: { S: 'x' } } } })),
  });
  const reading = (...names: string[]) => ({
    RequestItems: { table: { Keys: names.map((pk) => ({ pk: { S: pk } })) } },
  });

  it('is what every screening does', () => {
    const calls = [
      call('ScreenTransaction', 'UpdateItem', { Key: { pk: { S: 'ENTITY#acc#3~category#h' } } }),
      call('ScreenEvent', 'BatchGetItem', reading('ENTITY#acc#network#h')),
      call('ScreenTransaction', 'TransactWriteItems', moving('SUBJECT#acc#1', 'TALLY#acc#0')),
    ];
    expect(calls.map(scalesWithTraffic)).toEqual([true, true, true]);
  });

  it('is nothing that goes by the clock or once per batch', () => {
    const calls = [
      call('ScreenTransaction', 'TransactWriteItems', moving('ENTITY#acc#category#h', 'ENTITY#acc#0~category#h')),
      call('ScreenTransaction', 'BatchGetItem', reading('ENTITY#acc#category#h', 'ENTITY#acc#0~category#h')),
      call('RelayEvents', 'Query', { ExpressionAttributeValues: { ':pk': { S: 'WEBHOOKS#acc' } } }),
      call('admin', 'PutItem', { Item: { pk: { S: 'ACCOUNT#acc' } } }),
    ];
    expect(calls.map(scalesWithTraffic)).toEqual([false, false, false, false]);
  });
});
