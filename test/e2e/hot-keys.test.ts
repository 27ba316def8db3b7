import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measured as saved } from '../../bench/cost/monthly-bill';
import { capacityMeter, hottest, isStatusOnly, itemSizes, totalUnits } from '../../bench/load/capacity-meter';
import { drive, driver } from '../../bench/load/drive';
import { measure, observations } from '../../bench/load/measure';
import { type LoadedStack, startStack } from '../../bench/load/start-stack';
import { traffic } from '../../bench/load/traffic';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { sized } from '../support/sized';

// `npm run load` is the long form; this is as much of it as shows a hot key.
const REQUESTS = sized(300, 150);
const ACCOUNTS = 3;
const LARGEST_SHARE = 0.1;

// What a slow machine gives up on would not be counted as what it is.
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
