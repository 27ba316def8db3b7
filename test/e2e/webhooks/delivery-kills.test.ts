import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localRun } from '../../support/local-run';
import { MINUTE, pass } from '../../support/machine/time-machine';
import { GENEROUS_BUDGETS, patient } from '../../support/patience';
import { assemblyUnderTest } from '../../support/synthesize-once';
import { webhookAccount } from '../../support/webhooks/webhook-account';
import { useReceiver } from '../../support/webhooks/webhook-receiver';

const receiver = useReceiver();
const ROOT = join(__dirname, '../../..');
const START_MS = 120_000;

const { LOCAL_RUN_DIR: shared = '' } = process.env;
const dataDir = mkdtempSync(join(tmpdir(), 'killed-'));
let child: ChildProcess;
let said = '';

/** Starts the run on the same data as before, on disk; `hangAt` is the write of a delivery at which it stops dead. */
async function start(hangAt: 0 | 1 | 2): Promise<void> {
  const script = ['--import', 'tsx', 'test/support/run-and-hang.ts', assemblyUnderTest(), dataDir, String(hangAt)];
  said = '';
  child = spawn(process.execPath, script, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...GENEROUS_BUDGETS, ...receiver.env },
  });
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes('Ready at'), START_MS);
  process.env.LOCAL_RUN_DIR = dataDir;
}

async function kill(): Promise<void> {
  process.env.LOCAL_RUN_DIR = shared;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function until(holds: () => boolean, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + patient(withinMs);
  while (!holds()) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`It did not happen:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

afterEach(kill);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Minutes in which the sweep does its work. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await pass(MINUTE);
    const schedule = encodeURIComponent('Delivery/DeliveriesDue');
    await fetch(`${localRun().url}/_local/schedules/${schedule}`, { method: 'POST' });
  }
}

it.each([
  ['between relay and dispatch', 1, 0],
  ['between POST and record', 2, 1],
] as const)(
  'killed %s: after a restart every event arrives, with the same id and the same bytes',
  async (_when, hangAt, arrived) => {
    await start(hangAt);
    const account = await webhookAccount(receiver);
    const { path } = await account.register(['transaction.screened']);
    const first = await account.pay();
    await until(() => said.includes('HANGING'));
    const second = await account.pay();
    await until(() => receiver.at(path).length >= arrived);
    const before = receiver.at(path).filter(({ json }) => json.data.transaction_id === first.transaction_id);
    expect(before).toHaveLength(arrived);
    await kill();

    await start(0);
    await minutes(4);
    await until(
      () => receiver.at(path).filter(({ json }) => json.data.transaction_id === first.transaction_id).length > arrived,
    );
    await receiver.until(path, ({ json }) => json.data.transaction_id === second.transaction_id);
    for (const { transaction_id } of [first, second]) {
      const same = receiver.at(path).filter(({ json }) => json.data.transaction_id === transaction_id);
      expect(new Set(same.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(same.map(({ body }) => body.toString())).size).toBe(1);
    }
    const attempts = receiver
      .at(path)
      .filter(({ json }) => json.data.transaction_id === first.transaction_id)
      .map(({ headers }) => headers['x-service-attempt']);
    expect(attempts).toEqual(arrived === 0 ? ['1'] : ['1', '2']);
  },
  300_000,
);
