import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { localOptions } from '../../../local/local-options';
import { startLocal } from '../../../local/start-local';
import { expectCleanLogs } from '../audits/log-leaks';
import { BUDGETS, ENVIRONMENTS, keepLogs, localRun, startLocalRun, stopLocalRun } from '../local-run';
import { patient } from '../patience';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Starts a service in a directory; what stops it again. */
type Start = (dataDir: string) => Promise<() => Promise<unknown>>;

function useRunOfItsOwn(start: Start): void {
  let stop: () => Promise<unknown>;
  let dataDir: string;
  const shared = process.env.LOCAL_RUN_DIR;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'time-machine-'));
    stop = await start(dataDir);
    process.env.LOCAL_RUN_DIR = dataDir;
  }, patient(60_000));

  afterAll(async () => {
    const refused = await (await fetch(`${localRun().url}/_local/denials`)).json();
    process.env.LOCAL_RUN_DIR = shared;
    await stop();
    keepLogs(dataDir, basename(expect.getState().testPath ?? 'unknown', '.test.ts'));
    expectCleanLogs(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
    expect(refused).toEqual([]);
  });
}

/** Sets variables of this process; what sets them back. */
function withVariables(env: object): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/**
 * Starts a run in the process of the tests, which has loaded most of it: a separate process takes two seconds of CPU
 * before it does anything. Tests must therefore not block this process while they wait for the service. Returns what
 * stops it.
 */
export async function startHere(
  dataDir: string,
  args: readonly string[] = [],
  env: object = {},
): Promise<() => Promise<void>> {
  const options = localOptions(['--port', '0', '--in-memory', '--data-dir', dataDir, ...ENVIRONMENTS, ...args]);
  if (!options) throw new Error('The options only ask for help');
  // Lambda's clock is UTC; threads take it from the process.
  const restore = withVariables({ TZ: 'UTC', ...BUDGETS, ...env });
  try {
    const run = await startLocal(options);
    return async () => {
      await run.stop();
      restore();
    };
  } catch (error) {
    restore();
    throw error;
  }
}

/** Gives the tests of a file their own run, whose functions' clock they may move forward. */
export function useTimeMachine(env: object = {}, args: readonly string[] = []): void {
  useRunOfItsOwn((dataDir) => startHere(dataDir, ['--virtual-clock', ...args], env));
}

/** The same in a separate process, for tests that measure time or keep this process busy. */
export function useTimeMachineApart(env: object = {}, args: readonly string[] = []): void {
  useRunOfItsOwn(async (dataDir) => {
    const { child } = await startLocalRun(dataDir, ['--virtual-clock', ...args], env);
    return () => stopLocalRun(child);
  });
}

/** Lets time pass for every function. The test fires the schedules that it needs itself. */
export const pass = (ms: number): Promise<void> => moveClock(ms, 'off');

/** Lets time pass, and every schedule that became due run once. */
export const passWithSchedules = (ms: number): Promise<void> => moveClock(ms, 'on');

async function moveClock(ms: number, schedules: 'on' | 'off'): Promise<void> {
  const response = await fetch(`${localRun().url}/_local/clock/${ms}?schedules=${schedules}`, { method: 'POST' });
  if (!response.ok) throw new Error(`The clock does not move: ${response.status}`);
}
