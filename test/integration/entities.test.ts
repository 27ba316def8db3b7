import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt, EntityHistory } from '../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../shared/domain/entities/entity-ref';
import { raised } from '../../shared/domain/entities/entity-spread';
import { PUBLIC_PSEUDONYMS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { attemptRecorder } from '../../shared/store/entities/attempt-recorder';
import { entityCalls } from '../../shared/store/entities/entity-calls';
import { networkStore, readProfile } from '../../shared/store/entities/entity-store';
import { stopUpdate } from '../../shared/store/entities/familiarity-update';
import { readItem } from '../../shared/store/entities/item-reading';
import { labelUpdate } from '../../shared/store/entities/label-update';
import { historyOf, readHistory } from '../../shared/store/entities/read-history';
import { recordAttemptUpdate, removeAttemptUpdate } from '../../shared/store/entities/record-attempt-update';
import { markUpdate, spreadIn, spreadReading } from '../../shared/store/entities/spread-reading';
import { trimUpdate } from '../../shared/store/entities/trim-update';
import { entityShard } from '../../shared/store/keys';
import { applyUpdate } from '../../shared/store/memory/apply-update';
import { traceStore } from '../../shared/store/personal-data/trace-store';
import type { EntityItem } from '../../shared/store/sdk/attribute-value';
import type { Table } from '../../shared/store/sdk/client';
import { patient } from '../support/patience';
import {
  generator,
  hostileAttempt,
  KINDS,
  ordinaryAttempt,
  START_MS,
  secondUpdate,
} from '../support/screening/live-through';
import { sized } from '../support/sized';
import { ACCOUNT, attemptAt, CATEGORY } from '../unit/entities/spread-scene';
import { type EntityTable, startEntityTable } from './entities/dynamodb-local';

describe('entity spread', () => {
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
    const [device, other] = ['phone', 'tablet'].map((name) =>
      entityNames(ACCOUNT, PUBLIC_PSEUDONYMS).exact('device', name),
    ) as [EntityRef, EntityRef];
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
    const network = entityNames(ACCOUNT, PUBLIC_PSEUDONYMS).exact('network', '91.0.0.0/24');
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
    // This process's copy of the network was at most 33 seconds old.
    expect(last).toBeGreaterThanOrEqual(99 - 33);
    expect(last).toBeLessThanOrEqual(99);
  });
});

describe('entity updates', () => {
  // An item runs short of space, and is trimmed, after a few dozen hostile attempts: each kind four times within 125.
  const UPDATES = sized(400, 125);

  jest.setTimeout(patient(60_000));

  let table: EntityTable;
  beforeAll(async () => {
    table = await startEntityTable();
  });
  afterAll(() => table.stop());

  const withoutKey = (item: EntityItem | undefined): EntityItem => {
    const { pk: _, ...rest } = item ?? {};
    return rest;
  };

  /** Sets have no order; everything else is compared as it is. */
  const comparable = (item: EntityItem | undefined): unknown =>
    Object.fromEntries(
      Object.entries(withoutKey(item)).map(([name, value]) => [
        name,
        'SS' in value ? { SS: [...value.SS].sort() } : value,
      ]),
    );

  const transaction = (number: number, at_ms: number): Attempt => ({
    ...ordinaryAttempt(generator(number), number, at_ms),
    action: 'transaction',
    amount: 12.5,
    currency: 'EUR',
    amount_usd: 13.75,
  });

  /** Every count and amount: these can be taken back. */
  const additive = ({ transactions, failed_logins, hours, amounts_by_currency, amounts_usd }: EntityHistory) => ({
    transactions,
    failed_logins,
    hours,
    amounts_by_currency,
    amounts_usd,
  });

  test('200 concurrent touches of one user have 200 distinct ranks and leave an exact count', async () => {
    const attempts = Array.from({ length: 200 }, (_, number) => transaction(number, START_MS + number));
    const replies = await Promise.all(
      attempts.map(async (attempt) => ({
        attempt,
        ...(await table.update('concurrent', recordAttemptUpdate('user', attempt))),
      })),
    );
    const ranks = replies.map(
      ({ attempt, old }) => readHistory('user', old, attempt).transactions.windows['10m'].count,
    );
    expect([...ranks].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, rank) => rank));
    const after = readHistory('user', await table.get('concurrent'), START_MS + 1_000);
    expect(after.transactions.total).toBe(200);
    for (const { count, amount_usd } of Object.values(after.transactions.windows)) {
      expect(count).toBe(200);
      expect(amount_usd).toBeCloseTo(200 * 13.75, 6);
    }
  });

  test.each(KINDS)('a retry with the same id changes nothing and reads the same history: %s', async (kind) => {
    const pk = `retry-${kind}`;
    const random = generator(3);
    for (let number = 0; number < 30; number++) {
      const attempt = hostileAttempt(random, number, START_MS + number * 20_000);
      const first = await table.update(pk, recordAttemptUpdate(kind, attempt));
      const stored = await table.get(pk);
      const again = await table.update(pk, recordAttemptUpdate(kind, attempt));
      expect(again.refused).toBe(true);
      expect(await table.get(pk)).toEqual(stored);
      expect(comparable(again.old)).toEqual(comparable(stored));
      const before = additive(readHistory(kind, first.old, attempt));
      expect(additive(readHistory(kind, again.old, attempt, attempt.at_ms))).toEqual(before);
      if (number === 0)
        expect(readHistory(kind, again.old, attempt, attempt.at_ms)).toEqual(readHistory(kind, undefined, attempt));
    }
  });

  test.each(KINDS)('taking an attempt back restores every count, once: %s', async (kind) => {
    const pk = `remove-${kind}`;
    const random = generator(4);
    const attempts = Array.from({ length: 20 }, (_, n) => hostileAttempt(random, n, START_MS + n * 1_000));
    for (const attempt of attempts.slice(0, 10)) await table.update(pk, recordAttemptUpdate(kind, attempt));
    const before = await table.get(pk);
    for (const attempt of attempts.slice(10)) await table.update(pk, recordAttemptUpdate(kind, attempt));
    for (const attempt of attempts.slice(10)) {
      expect((await table.update(pk, removeAttemptUpdate(kind, attempt))).refused).toBe(false);
      expect((await table.update(pk, removeAttemptUpdate(kind, attempt))).refused).toBe(true);
    }
    const at = START_MS + 60_000;
    const after = await table.get(pk);
    expect(additive(readHistory(kind, after, at))).toEqual(additive(readHistory(kind, before, at)));
    expect(readProfile(kind, after ?? {}, at).events).toEqual(readProfile(kind, before ?? {}, at).events);
  });

  test('an attempt on an entity that is gone cannot be taken back', async () => {
    const reply = await table.update('gone', removeAttemptUpdate('user', transaction(1, START_MS)));
    expect(reply.refused).toBe(true);
    expect(await table.get('gone')).toBeUndefined();
  });

  test('labels and decisions are counted, and a label can change sides', async () => {
    await table.update('labels', recordAttemptUpdate('user', transaction(1, START_MS)));
    const legitimate = { label: 'legitimate', known_at_ms: START_MS } as const;
    const fraud = { label: 'fraud', known_at_ms: START_MS + 2 * 86_400_000 } as const;
    await table.update('labels', labelUpdate(legitimate));
    await table.update('labels', labelUpdate(fraud, legitimate));
    for (const decision of ['review', 'block', 'block'] as const) await table.update('labels', stopped(decision));
    const history = readHistory('user', await table.get('labels'), fraud.known_at_ms + 1);
    expect(history.labels).toEqual({ fraud: 1, legitimate: 0 });
    expect(history.recent_labels['7d']).toEqual({ fraud: 1, labelled: 1 });
    expect(history.decisions).toEqual({ review: 1, block: 2 });
    expect(history.transactions).toMatchObject({ stopped: 3, established: 0 });
    expect(history.stopped_marks).toEqual({ undecided: ['review', 'block'].sort(), rejected: [] });
  });

  const stopped = (decision: 'review' | 'block') =>
    stopUpdate({ decision, isTransaction: true, atMs: START_MS, mark: decision });

  const twoReviews = (atMs: number) => {
    const first = { label: 'fraud', known_at_ms: atMs } as const;
    return [labelUpdate(first), labelUpdate({ label: 'legitimate', known_at_ms: atMs + 86_400_000 }, first)];
  };

  test.each(KINDS)('the in-memory evaluator does what DynamoDB does with every update of ours: %s', async (kind) => {
    const pk = `evaluator-${kind}`;
    const random = generator(5);
    let item: EntityItem | undefined;
    let atMs = START_MS;
    let trims = 0;
    for (let number = 0; number < UPDATES; number++) {
      atMs += Math.round(random() ** 4 * 10 * 86_400_000);
      const make = random() < 0.5 ? hostileAttempt : ordinaryAttempt;
      const attempt = make(random, random() < 0.1 ? number - 1 : number, atMs);
      const trim = item === undefined ? undefined : trimUpdate(kind, item, attempt);
      const updates = [
        recordAttemptUpdate(kind, attempt),
        ...(trim === undefined ? [] : [trim]),
        ...(random() < 0.1 ? [removeAttemptUpdate(kind, attempt)] : []),
        ...(random() < 0.05 ? twoReviews(atMs) : []),
        secondUpdate(kind, attempt, readHistory(kind, item, attempt), random() < 0.2 ? 'review' : 'allow'),
      ];
      if (trim !== undefined) trims += 1;
      for (const params of updates) {
        if (params === undefined) continue;
        const reply = await table.update(pk, params);
        expect(comparable(reply.old)).toEqual(comparable(item));
        const applied = applyUpdate(item, params);
        expect(applied.applied).toBe(!reply.refused);
        item = applied.item;
      }
    }
    expect(trims).toBeGreaterThan(3);
    expect(comparable(await table.get(pk))).toEqual(comparable(item));
  });
});
