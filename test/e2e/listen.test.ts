import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/local-fixture/fixture';
import { localRun, startLocalRun, stopLocalRun } from '../support/local-run';
import { expectCleanLogs } from '../support/log-leaks';
import { patient } from '../support/patience';

const ROOT = join(__dirname, '../..');
const running: ChildProcess[] = [];
const directories: string[] = [];

afterAll(async () => {
  for (const child of running) if (child.exitCode === null) await stopLocalRun(child);
  for (const directory of directories) {
    expectCleanLogs(directory);
    rmSync(directory, { recursive: true, force: true });
  }
});

function listen(dataDir: string, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'local/listen/main.ts', '--port', '0', '--data-dir', dataDir, ...args],
    { cwd: ROOT },
  );
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return {
    child,
    said: () => said,
    saying: (pattern: RegExp) => eventually(async () => pattern.exec(said) ?? undefined, 60_000),
  };
}

it(
  'npm run listen: says how to start the service, then verifies and prints what comes',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'listened-'));
    directories.push(dataDir);
    const listener = listen(dataDir);
    const [, ...options] = await listener.saying(/npm start -- (--local-webhooks)$/m);
    const { child, run } = await startLocalRun(dataDir, options);
    running.push(child);
    const [, webhookId = ''] = await listener.saying(/Listening at https:\/\/localhost:\d+\/ as (wh_\w+)/);

    const { key } = JSON.parse(readFileSync(join(dataDir, 'demo-account.json'), 'utf8')) as { key: string };
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ user_id: 'user-1', amount: 25, currency: 'EUR' });
    const response = await fetch(`${run.url}/v1/transactions/screen`, { method: 'POST', headers, body });
    const { transaction_id } = (await response.json()) as { transaction_id: string };
    await listener.saying(/verified {2}transaction\.screened +msg_\w+ {2}attempt 1/);
    await listener.saying(new RegExp(`transaction_id ${transaction_id} +decision allow`));

    const exited = once(listener.child, 'exit');
    listener.child.kill('SIGINT');
    expect((await exited)[0]).toBe(0);
    const { webhooks } = (await (await fetch(`${run.url}/v1/webhooks`, { headers })).json()) as { webhooks: object[] };
    expect([webhookId, webhooks]).toEqual([expect.stringMatching(/^wh_/), []]);
  },
  patient(90_000),
);

it('says what to do when the service was started without --local-webhooks', async () => {
  const listener = listen(localRun().dataDir);
  const [code] = await once(listener.child, 'exit');
  expect([code, listener.said()]).toEqual([
    1,
    expect.stringMatching(/Restart the local run with --local-webhooks.*npm start/s),
  ]);
});

it('names the event types when it does not know one', async () => {
  const listener = listen(localRun().dataDir, '--events', 'case.closed');
  const [code] = await once(listener.child, 'exit');
  expect([code, listener.said()]).toEqual([1, expect.stringContaining('case.resolved')]);
});
