import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attempt } from '../../shared/domain/entities/entity-history';
import type { PlannedCount } from '../../shared/domain/rules/compile-counters';
import { counterStore } from '../../shared/store/counters/counter-store';
import { memoryCounters } from '../../shared/store/memory/memory-counters';
import { patient } from '../support/patience';

describe('counters in DynamoDB', () => {
  const START_MS = Date.parse('2026-11-14T12:00:00Z');
  const LIMIT_MS = patient(20_000);
  jest.setTimeout(patient(90_000));
  const client = new DynamoDBClient({
    endpoint: process.env.LOCAL_DYNAMODB ?? '',
    region: 'us-east-1',
    // Another access key is another database.
    credentials: { accessKeyId: randomUUID().replaceAll('-', ''), secretAccessKey: 'local' },
  });
  const store = counterStore({ onceClient: client, name: 'counters' });
  const plan: PlannedCount = {
    ...{ name: 'tries', entity: 'counter.1#x', windowMs: 600_000, count: 'attempts', adds: 1, isRead: true },
    owner: 'user#1.abc',
  };
  const attemptAt = (atMs: number, id: string, repeat_key?: string): Attempt => ({
    ...{ attempt_id: `txn_${id}`, at_ms: atMs, action: 'transaction', outcome: 'succeeded', user_id: 'u' },
    ...(repeat_key === undefined ? {} : { repeat_key }),
  });
  const atOnce = async (atMs: number, from: PlannedCount): Promise<number[]> => {
    const counted = await Promise.all(
      Array.from({ length: 200 }, () => store.count('acc_1', from, attemptAt(atMs, randomUUID()), LIMIT_MS)),
    );
    return counted.map(({ value }) => value).sort((a, b) => a - b);
  };
  const oneTo200 = (before = 0): number[] => Array.from({ length: 200 }, (_, at) => before + at + 1);

  beforeAll(async () => {
    const key = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
    await client.send(
      new CreateTableCommand({
        TableName: 'counters',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [key('pk'), key('sk')],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
  });
  afterAll(() => client.destroy());

  it('200 at once see 1 to 200 on a cold counter, 201 to 400 on the same one spread, and all of it later', async () => {
    expect(await atOnce(START_MS, plan)).toEqual(oneTo200());
    await store.spreadNow('acc_1', plan, START_MS, LIMIT_MS);
    expect(await atOnce(START_MS + 1, plan)).toEqual(oneTo200(200));
    const elsewhere = counterStore({ onceClient: client, name: 'counters' });
    const { value } = await elsewhere.count(
      'acc_1',
      { ...plan, adds: undefined },
      attemptAt(START_MS + 2, 'r'),
      LIMIT_MS,
    );
    expect(value).toBe(400);
  });

  it('one Idempotency-Key counts once, and is taken back once', async () => {
    const once = { ...plan, entity: 'counter.2#x' };
    const first = await store.count('acc_1', once, attemptAt(START_MS, 'a', 'key'), LIMIT_MS);
    const again = await store.count('acc_1', once, attemptAt(START_MS + 5, 'b', 'key'), LIMIT_MS);
    expect([first.value, again.value, again.item]).toEqual([1, 1, undefined]);
    expect(again.counted_by).toEqual(expect.any(String));
    const from = { item: first.item ?? '', limitMs: LIMIT_MS };
    for (let n = 0; n < 2; n++) await store.uncount('acc_1', once, attemptAt(START_MS, 'a', 'key'), from);
    expect((await store.count('acc_1', once, attemptAt(START_MS + 9, 'c'), LIMIT_MS)).value).toBe(1);
  });

  it('says in DynamoDB what it says in memory, through every trim', async () => {
    const memory = memoryCounters();
    for (const [count, addsOf] of [
      ['sum', (n: number) => 1_000.5 + n],
      ['distinct', (n: number) => `m${String(n % 90).padStart(4, '0')}`],
    ] as const) {
      for (let n = 0; n < 200; n++) {
        const each = { ...plan, count, entity: `counter.3#${count}`, adds: addsOf(n) };
        const attempt = attemptAt(START_MS + n * 11_000, `${count}${n}`);
        const [table, kept] = await Promise.all([
          store.count('acc_1', each, attempt, LIMIT_MS),
          memory.count('acc_1', each, attempt, LIMIT_MS),
        ]);
        expect(table.value).toBe(kept.value);
        await Promise.all([table.trim?.(LIMIT_MS), kept.trim?.(LIMIT_MS)]);
      }
    }
  });
});
