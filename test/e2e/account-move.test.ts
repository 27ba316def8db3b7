import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { MOVE_COMMANDS } from '../../bin/admin/move-commands';
import { findCell, type Target } from '../../bin/admin/target';
import { type LocalRun, startLocal } from '../../local/start-local';
import { type AccountMove, LAST_SCREENING_MS } from '../../shared/domain/accounts/account-move';
import { moveWiring } from '../../shared/runtime/move-wiring';
import { createAccount, createKey } from '../../shared/usecases/accounts/administer-accounts';
import { moveAccount } from '../../shared/usecases/accounts/move-account';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { everyItem } from '../support/person-traces';
import { assemblyUnderTest } from '../support/synthesize-once';

/** A service on this machine, with an administrator's rights on it. */
interface Cell {
  readonly run: LocalRun;
  readonly directory: string;
  readonly deps: Target['deps'];
}

const root = mkdtempSync(join(tmpdir(), 'account-move-'));
let [here, there]: Cell[] = [];

/** As `npm start -- --no-demo-account --virtual-clock` does. */
async function start(name: string): Promise<Cell> {
  const directory = join(root, name);
  const run = await startLocal({
    ...{ assembly: assemblyUnderTest(), stackName: 'FraudScreening-sandbox', dataDir: directory },
    ...{ port: 0, inMemory: true, virtualClock: true, concurrencyPerFunction: 2 },
  });
  const { deps } = await findCell('sandbox', directory, false);
  return { run, directory, deps: { ...deps, clock } };
}

beforeAll(async () => {
  Object.assign(process.env, GENEROUS_BUDGETS);
  [here, there] = await Promise.all([start('here'), start('there')]);
}, patient(60_000));
afterAll(async () => {
  for (const name of Object.keys(GENEROUS_BUDGETS)) delete process.env[name];
  await Promise.all([here, there].map((cell) => cell?.run.stop()));
  rmSync(root, { recursive: true, force: true });
});

/** How often somebody pays meanwhile. */
const EVERY_MS = 4_000;

/** What was skipped instead of waited for, in both services and for the command. */
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };
async function skip(ms: number): Promise<void> {
  skippedMs += ms;
  const clocks = [here, there].map((cell) => fetch(`${cell?.run.url}/_local/clock/${ms}`, { method: 'POST' }));
  for (const response of await Promise.all(clocks)) expect(response.status).toBe(200);
}

let key = '';
type Options = { readonly body?: object; readonly once?: string };
async function call({ run }: Cell, method: string, path: string, { body, once }: Options = {}) {
  const response = await fetch(run.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(once ? { 'idempotency-key': once } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}
const PAYMENT = { user_id: 'ann', amount: 20, currency: 'EUR' };
const pay = (cell: Cell, once = '') => call(cell, 'POST', '/v1/transactions/screen', { body: PAYMENT, once });
const profile = async (cell: Cell) => (await call(cell, 'GET', '/v1/users/ann/risk-profile')).json;

const command = (name: string, cell: Cell, other: Cell, ...words: string[]): Promise<string> =>
  Promise.resolve(
    MOVE_COMMANDS[name]?.run(cell.deps, {
      words,
      texts: { cell: other.directory },
      lists: {},
      flags: new Set(),
    }) as never,
  );

/** What follows a screening in its own time. */
const LATER = /^(OVERVIEW|LINKS|KEYUSE)#/;

/** Items of an account, by key; without what a move writes on the account itself. */
async function itemsOf({ deps }: Cell, accountId: string): Promise<Map<string, string>> {
  const items = (await everyItem(deps.table)).filter(
    ({ pk: { S: pk = '' } = {} }) => pk.includes(accountId) && !LATER.test(pk),
  );
  return new Map(
    items.map(({ move: _mark, ...item }) => [
      `${item.pk?.S} ${item.sk?.S}`,
      JSON.stringify(Object.entries(item).sort()),
    ]),
  );
}

it(
  'moves an account in use between two services, and leaves it where it is when that is given up',
  async () => {
    const [left, right] = [here, there] as [Cell, Cell];
    const { account_id } = await createAccount(left.deps, 'Shop');
    ({ key } = await createKey(left.deps, account_id, null));
    const paidFirst = await pay(left, 'first');
    expect(paidFirst.status).toBe(200);
    const first = { json: paidFirst.json, path: `/v1/transactions/${paidFirst.json.transaction_id}` };

    // Two new services name people differently.
    await expect(command('accounts move', left, right, account_id)).rejects.toThrow('identity-key copy');
    await expect(command('identity-key copy', right, left)).rejects.toThrow('has accounts');
    await command('identity-key copy', left, right);

    const begun: AccountMove = { move_id: 'move_1', to: right.deps.apiUrl };
    const wiring = moveWiring(left.deps, right.deps, account_id, begun);
    const dies = () => Promise.reject(new Error('The command dies'));
    const before = await itemsOf(left, account_id);
    await expect(moveAccount({ ...wiring, wait: dies, onStep: () => undefined }, begun)).rejects.toThrow('dies');
    expect((await itemsOf(right, account_id)).size).toBeGreaterThan(0);
    expect(await command('accounts move-abort', left, right, account_id)).toContain('stays');
    expect([...(await itemsOf(right, account_id)).keys()]).toEqual([]);
    expect(await itemsOf(left, account_id)).toEqual(before);
    await skip(65_000);
    expect((await pay(left)).status).toBe(200);

    // Something that is not here was left over there.
    const stray = { pk: { S: `SUBJECT#${account_id}#01JCP2Q8Z3X6T7V9B1N4M5K6H7` }, sk: { S: 'RESULT' } };
    await right.deps.table.client.send(new PutItemCommand({ TableName: right.deps.table.name, Item: stray }));

    const seen = new Set<string>();
    let paid = 2;
    let quietMs = 0;
    const wait = async (ms: number): Promise<void> => {
      await skip(ms);
      quietMs += ms;
      if (quietMs < EVERY_MS) return;
      quietMs = 0;
      const { status, headers } = await pay(left);
      if (status === 200) paid += 1;
      else expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      const list = await call(left, 'PUT', '/v1/lists/vips', { body: { type: 'user_id', effect: 'none' } });
      seen.add(`${status} ${list.status}`.replace('201', '200'));
      if (status === 503) expect((await call(left, 'GET', first.path)).status).toBe(200);
    };
    const again = moveWiring(left.deps, right.deps, account_id, begun);
    const report = await moveAccount({ ...again, wait, onStep: () => undefined }, begun);
    // Other writes stop before screenings do, which may be running for a shorter time.
    const [open, others, stopped] = ['200 200', '200 503', '503 503'] as const;
    expect([...seen].filter((each) => each !== others)).toEqual([open, stopped]);
    expect(report).toMatchObject({ isWhole: true });
    expect(report.stoppedMs).toBeGreaterThanOrEqual(LAST_SCREENING_MS);
    // Every answered screening is there, and nothing else.
    const results = (items: ReadonlyMap<string, string>) =>
      [...items.keys()].filter((name) => name.endsWith(' RESULT'));
    const [source, target] = [await itemsOf(left, account_id), await itemsOf(right, account_id)];
    expect(results(target).sort()).toEqual(results(source).sort());
    expect(results(target)).toHaveLength(paid);

    // Callers who were authorized before still hear to wait; then where to go.
    expect([403, 503]).toContain((await pay(left)).status);
    await skip(65_000);
    const refused = await pay(left);
    expect(refused.status).toBe(403);
    expect(refused.json.error.details).toEqual([{ field: 'base_url', message: right.deps.apiUrl }]);
    expect((await call(left, 'GET', '/v1/users/ann/risk-profile')).status).toBe(403);

    // The same key, the same history, the same answer to a repeated request.
    const repeated = await pay(right, 'first');
    expect([repeated.status, repeated.json]).toEqual([200, first.json]);
    const known = await profile(right);
    expect((await pay(right)).status).toBe(200);
    expect((await profile(right)).transactions.count).toBe(known.transactions.count + 1);
    expect(known.transactions.count).toBe(paid);

    await expect(command('accounts move-abort', left, right, account_id)).rejects.toThrow('has moved already');
    await expect(command('accounts move-finish', left, right, account_id)).rejects.toThrow('Try again in');
    await skip(31 * 60_000);
    expect(await command('accounts move-finish', left, right, account_id)).toContain('items removed');
    expect(results(await itemsOf(left, account_id))).toEqual([]);
    expect((await pay(left)).status).toBe(403);
    expect((await pay(right)).status).toBe(200);
    for (const { run } of [left, right]) expect(await (await fetch(`${run.url}/_local/denials`)).json()).toEqual([]);
  },
  patient(60_000),
);
