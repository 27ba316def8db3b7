import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import { raised } from '../../../shared/domain/entities/entity-spread';
import { attemptRecorder } from '../../../shared/store/entities/attempt-recorder';
import { entityCalls } from '../../../shared/store/entities/entity-calls';
import { readItem } from '../../../shared/store/entities/item-reading';
import { labelUpdate } from '../../../shared/store/entities/label-update';
import { networkStore } from '../../../shared/store/entities/network-store';
import { historyOf } from '../../../shared/store/entities/read-history';
import { markUpdate, spreadIn, spreadReading } from '../../../shared/store/entities/spread-reading';
import { entityShard } from '../../../shared/store/keys';
import { traceStore } from '../../../shared/store/personal-data/trace-store';
import type { Table } from '../../../shared/store/sdk/client';
import { speakPlainly } from '../../../shared/store/sdk/plain-protocol';
import { patient } from '../../support/patience';
import { ACCOUNT, attemptAt, CATEGORY } from '../../unit/entities/spread-scene';

const START_MS = Date.parse('2026-11-14T12:00:00Z');
const LIMIT_MS = patient(10_000);
jest.setTimeout(patient(60_000));

// Another access key is another database.
const client = new DynamoDBClient({
  endpoint: process.env.LOCAL_DYNAMODB ?? '',
  region: 'us-east-1',
  credentials: { accessKeyId: randomUUID().replaceAll('-', ''), secretAccessKey: 'local' },
});
const calls = entityCalls({ onceClient: client, name: 'entities' });

beforeAll(async () => {
  const key = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  await client.send(
    new CreateTableCommand({
      TableName: 'entities',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [key('pk'), key('sk')],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  // As the store's own client does.
  speakPlainly(client);
});
afterAll(() => client.destroy());

it('folds shards in DynamoDB as in memory: totals, windows, amounts and labels stay exact, until nothing is left of them', async () => {
  const recorder = attemptRecorder(calls);
  const home = { entity: CATEGORY.key };
  const screen = async (atMs: number, number: number) => {
    const { history, trim } = await recorder.record(ACCOUNT, CATEGORY, attemptAt(atMs, number), LIMIT_MS);
    await trim?.(LIMIT_MS);
    return history;
  };
  await screen(START_MS, 0);
  await calls.aside(ACCOUNT, { ...home, params: markUpdate(undefined, raised(undefined, 4, START_MS)) }, LIMIT_MS);
  await calls.aside(ACCOUNT, { ...home, params: labelUpdate({ label: 'fraud', known_at_ms: START_MS }) }, LIMIT_MS);
  const shards = Array.from({ length: 4 }, (_, shard) => entityShard(CATEGORY.key, shard));
  for (let number = 1; number <= 60; number++) await screen(START_MS + 1_000 * number, number);
  const [found, ...parts] = (await calls.read(ACCOUNT, [CATEGORY.key, ...shards], true)) ?? [];
  expect(parts.filter((item) => item !== undefined)).toHaveLength(4);
  expect(spreadIn(found?.sp)?.folded_at_ms).toBeGreaterThan(START_MS);

  // Now and then an attempt: the shards are given up, and emptied for good.
  for (let number = 61; number <= 80; number++) await screen(START_MS + 60_000 + 20_000 * (number - 60), number);
  const atMs = START_MS + 500_000;
  const [cooled] = (await calls.read(ACCOUNT, [CATEGORY.key], true)) ?? [];
  expect(cooled?.sp).toBeUndefined();
  const history = historyOf('attribute', readItem(cooled, atMs), atMs, undefined);
  expect(history.transactions.total).toBe(81);
  expect(history.transactions.windows['10m'].count).toBe(81);
  expect(history.amounts_usd.count).toBe(81);
  expect(history.labels).toEqual({ fraud: 1, legitimate: 0 });
  const dollars = Array.from({ length: 81 }, (_, number) => 10 + (number % 7)).reduce((sum, usd) => sum + usd, 0);
  expect(history.transactions.windows['30d'].amount_usd).toBeCloseTo(dollars, 2);
  expect(history.amounts_usd.total).toBeCloseTo(dollars, 2);
});

it('erases a person’s device with its shards, and no other entity’s', async () => {
  const traces = traceStore({ client: DynamoDBDocumentClient.from(client), name: 'entities' } as Table);
  const recorder = attemptRecorder(calls);
  const [device, other] = ['phone', 'tablet'].map((name) => entityNames(ACCOUNT).exact('device', name)) as [
    EntityRef,
    EntityRef,
  ];
  const namesOf = ({ key }: EntityRef) => [key, ...[0, 1, 2, 3].map((shard) => entityShard(key, shard))];
  for (const ref of [device, other]) {
    const mark = markUpdate(undefined, raised(undefined, 4, START_MS));
    await calls.aside(ACCOUNT, { entity: ref.key, params: mark }, LIMIT_MS);
    for (let number = 0; number < 40; number++) {
      const attempt = { ...attemptAt(START_MS + number, number), user_id: 'one person' };
      await recorder.record(ACCOUNT, ref, attempt, LIMIT_MS);
    }
    const stored = (await calls.read(ACCOUNT, namesOf(ref), true)) ?? [];
    expect(stored.filter((item) => item !== undefined)).toHaveLength(5);
  }
  expect(await traces.eraseIfAlone(ACCOUNT, device.key, START_MS + 1_000)).toBe(true);
  const left = (ref: EntityRef) => calls.read(ACCOUNT, namesOf(ref), true);
  expect((await left(device))?.filter((item) => item !== undefined)).toEqual([]);
  expect((await left(other))?.filter((item) => item !== undefined)).toHaveLength(5);
});

it('counts on the shards of a network that is spread, folds them, and reads what they hold', async () => {
  const networks = networkStore({ onceClient: client, name: 'entities' });
  const network = entityNames(ACCOUNT).exact('network', '91.0.0.0/24');
  const mark = markUpdate(undefined, raised(undefined, 4, START_MS));
  await calls.aside(ACCOUNT, { entity: network.key, params: mark }, LIMIT_MS);
  const shards = Array.from({ length: 4 }, (_, shard) => entityShard(network.key, shard));
  let last = 0;
  for (let number = 0; number < 100; number++) {
    const attempt = attemptAt(START_MS + 1_000 * number, number);
    const [reading] = await networks.read(ACCOUNT, [network], attempt, LIMIT_MS);
    last = reading?.history.transactions.windows['1h'].count ?? 0;
    await reading?.record(LIMIT_MS);
  }
  const [home, ...parts] = (await calls.read(ACCOUNT, [network.key, ...shards], true)) ?? [];
  expect(parts.filter((item) => item !== undefined)).toHaveLength(4);
  expect(spreadIn(home?.sp)?.folded_at_ms).toBeGreaterThan(START_MS);
  const atMs = START_MS + 100_000;
  const sum = parts.reduce((all, part) => spreadReading(all, readItem(part, atMs), 1), readItem(home, atMs));
  expect(historyOf('network', sum, atMs, undefined).transactions.windows['1h'].count).toBe(100);
  // What this process knew of the network was at most 33 seconds old.
  expect(last).toBeGreaterThanOrEqual(99 - 33);
  expect(last).toBeLessThanOrEqual(99);
});
