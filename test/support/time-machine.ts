import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { keepLogs, localRun, startLocalRun, stopLocalRun } from './local-run';
import { expectCleanLogs } from './log-leaks';
import { patient } from './patience';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Gives the tests of a file a run of their own, whose functions' clock they may move forward. */
export function useTimeMachine(env: object = {}, args: readonly string[] = []): void {
  let child: ChildProcess;
  let dataDir: string;
  const shared = process.env.LOCAL_RUN_DIR;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'time-machine-'));
    ({ child } = await startLocalRun(dataDir, ['--virtual-clock', ...args], env));
    process.env.LOCAL_RUN_DIR = dataDir;
  }, patient(60_000));

  afterAll(async () => {
    const refused = await (await fetch(`${localRun().url}/_local/denials`)).json();
    process.env.LOCAL_RUN_DIR = shared;
    await stopLocalRun(child);
    keepLogs(dataDir, basename(expect.getState().testPath ?? 'unknown', '.test.ts'));
    expectCleanLogs(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
    expect(refused).toEqual([]);
  });
}

/** Lets time pass for every function. */
export async function pass(ms: number): Promise<void> {
  const response = await fetch(`${localRun().url}/_local/clock/${ms}`, { method: 'POST' });
  if (!response.ok) throw new Error(`The clock does not move: ${response.status}`);
}
