import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { measured as saved } from '../../bench/cost/monthly-bill';
import { capacityMeter, hottest, isStatusOnly, itemSizes, totalUnits } from '../../bench/load/capacity-meter';
import { drive, driver } from '../../bench/load/drive';
import { measure, observations } from '../../bench/load/measure';
import { type LoadedStack, startStack } from '../../bench/load/start-stack';
import { traffic } from '../../bench/load/traffic';
import { localClient } from '../../shared/runtime/admin-wiring';
import { NAME } from '../../shared/store/entities/entity-attributes';
import { spreadIn, spreadText } from '../../shared/store/entities/spread-reading';
import { entityKey, isEntityShard } from '../../shared/store/keys';
import { call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { sized } from '../support/sized';

describe('hot keys', () => {
  // `npm run load` is the long form; this is as much of it as shows a hot key.
  const REQUESTS = sized(300, 150);
  const ACCOUNTS = 3;
  const LARGEST_SHARE = 0.1;

  // Screenings that a slow machine gives up on would be counted as something else.
  Object.assign(process.env, GENEROUS_BUDGETS);

  const directory = mkdtempSync(join(tmpdir(), 'hot-keys-'));
  const meter = capacityMeter();
  const seen = observations();
  let stack: LoadedStack;

  beforeAll(async () => {
    stack = await startStack('hot keys', ACCOUNTS, { dataDir: join(directory, 'data'), intercept: meter.intercept });
    stack.run.onLog(seen.onLog);
    const client = driver({ url: stack.run.url, keys: stack.accounts.map(({ key }) => key), onDone: seen.onDone });
    await drive(client.make, traffic(20261114, { accounts: ACCOUNTS, usersPerAccount: 10_000 }), {
      perSecond: 10_000,
      maxInFlight: 3,
      isOver: (started) => started >= REQUESTS,
    });
    client.close();
    // So few requests may hold no fraud that is stopped, and only cases write to indexes: some are opened on purpose.
    for (const { key } of stack.accounts) {
      for (const user_id of ['ann', 'ben', 'cleo']) {
        const body = { user_id, amount: 20, currency: 'EUR', custom_attributes: { sandbox_decision: 'review' } };
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const url = `${stack.run.url}/v1/transactions/screen`;
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
        expect(answer.status).toBe(200);
      }
    }
  }, patient(150_000));

  afterAll(async () => {
    await stack?.run.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('no key of the table or of an index takes more than a tenth of all writes, and none is a mere status', () => {
    const total = totalUnits(meter.byKey) + totalUnits(meter.byIndexKey);
    expect(meter.byKey.size).toBeGreaterThan(REQUESTS);
    expect(meter.byIndexKey.size).toBeGreaterThan(0);
    for (const keys of [meter.byKey, meter.byIndexKey]) {
      expect(hottest(keys, total).filter(({ share }) => share > LARGEST_SHARE)).toEqual([]);
      expect([...keys.keys()].filter(isStatusOnly)).toEqual([]);
    }
  });

  it('the quantities that npm run cost goes by are still true', async () => {
    const now = measure(meter, seen.summary(), await itemSizes(stack.run));
    // Sizes and units, not log bytes: those change with every field somebody adds, and cost a tenth as much.
    for (const name of [
      'screeningWriteUnits',
      'caseOpenedWriteUnits',
      'screeningItemBytes',
      'entityItemBytes',
    ] as const) {
      const ratio = now[name] / saved[name];
      expect([name, ratio > 0.7 && ratio < 1.4 ? 'as saved' : `${now[name]}, saved ${saved[name]}`]).toEqual([
        name,
        'as saved',
      ]);
    }
  });
});

describe('spread histories', () => {
  const MINUTE_MS = 60_000;
  const TableName = localRun().outputs.TableName ?? '';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  afterAll(() => client.destroy());

  /** The items of an account's entities, by name. */
  async function entitiesOf(accountId: string): Promise<Map<string, Record<string, unknown>>> {
    const { pk: prefix } = entityKey(accountId, '');
    const found = new Map<string, Record<string, unknown>>();
    const scan = {
      TableName,
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': prefix },
    };
    for await (const { Items = [] } of paginateScan({ client }, scan)) {
      for (const item of Items) found.set(String(item.pk).slice(prefix.length), item);
    }
    return found;
  }

  const spreadOf = (item: Record<string, unknown> | undefined) => {
    const text = item?.[NAME.spread];
    return spreadIn(typeof text === 'string' ? { S: text } : undefined);
  };

  /* No test run is as busy as a history that spreads: these are marked by hand. What follows needs the rights of the function. */
  it('a function may write to the shards of histories that are spread, and fold them', async () => {
    const { account_id, key } = await newAccount('spread');
    const payment = { amount: 20, currency: 'EUR', device_fingerprint: 'busy', ip_address: '91.0.0.7' };
    const pay = async (user_id: string) => {
      const { status, json } = await call('POST', '/v1/transactions/screen', { key, body: { ...payment, user_id } });
      expect([status, json.warnings]).toEqual([200, undefined]);
    };
    await pay('ann');
    const ago = Date.now() - MINUTE_MS;
    const marked = spreadText({ shards: 2, most: 2, folded_at_ms: ago, since_ms: ago, pace: 0 });
    const homes = [...(await entitiesOf(account_id)).keys()];
    for (const entity of homes) {
      await client.send(
        new UpdateCommand({
          ...{ TableName, Key: entityKey(account_id, entity) },
          UpdateExpression: 'SET #spread = :marked, #seen = :ago',
          ExpressionAttributeNames: { '#spread': NAME.spread, '#seen': NAME.lastSeen },
          ExpressionAttributeValues: { ':marked': marked, ':ago': ago },
        }),
      );
    }

    // The first meets the mark and folds; the others know of the shards.
    for (const user of ['bob', 'cleo', 'dora']) await pay(user);
    const after = await entitiesOf(account_id);
    const folded = homes.filter((entity) => (spreadOf(after.get(entity))?.folded_at_ms ?? 0) > ago);
    expect(folded.length).toBeGreaterThanOrEqual(2);
    expect([...after.keys()].filter(isEntityShard).length).toBeGreaterThan(0);
  });
});
