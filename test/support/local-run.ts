import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Backend, startDynamodb } from '../../local/backends/start-backends';
import { expectCleanLogs } from './audits/log-leaks';
import { DEPLOYED_BUDGETS, GENEROUS_BUDGETS, patient } from './patience';
import { IS_FULL } from './sized';
import synthesizeOnce from './synthesize-once';

const ROOT = join(__dirname, '../..');
const KEPT_LOGS = join(ROOT, '.local/test-logs');
const START_DEADLINE_MS = patient(120_000);
// In full sizes time is what is measured.
export const BUDGETS = IS_FULL ? DEPLOYED_BUDGETS : GENEROUS_BUDGETS;
/** Each environment of a function loads its bundle, 0.3 s of CPU: three at once race as six do, in half the threads. */
export const ENVIRONMENTS = IS_FULL ? [] : ['--concurrency', '3'];

/** A stage running on this machine, as `npm start` runs it. */
export interface RunFile {
  readonly url: string;
  readonly awsEndpoint: string;
  readonly secret: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Starts the local run as a newcomer would, on any free port and with its own data directory. */
export async function startLocalRun(dataDir: string, args: readonly string[] = [], env: object = {}) {
  // A relative directory, as people type it, must do as well as an absolute one.
  const directory = relative(ROOT, dataDir);
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'local/main.ts',
      '--port',
      '0',
      '--in-memory',
      '--data-dir',
      directory,
      ...ENVIRONMENTS,
      ...args,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...BUDGETS, ...env },
    },
  );
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const runFile = join(dataDir, 'run.json');
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!existsSync(runFile) || !said.includes('Ctrl-C')) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The local run did not start:\n${said}`);
    await delay(100);
  }
  const run = JSON.parse(readFileSync(runFile, 'utf8')) as RunFile;
  return { child, run, said: () => said };
}

/** Stops it as Ctrl-C would. */
export async function stopLocalRun(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = (await exited) as [number | null];
  return code;
}

/** Keeps the functions' logs after a run under test, so that somebody can look into it when a test has failed. */
export function keepLogs(dataDir: string, name: string): void {
  cpSync(join(dataDir, 'logs'), join(KEPT_LOGS, name), { recursive: true });
}

let shared: { child: ChildProcess; dataDir: string; dynamodb: Backend } | undefined;

/** jest's globalSetup of the layers that need the service up: one run for all of them, one DynamoDB Local for all runs. */
export default async function startOnce(): Promise<void> {
  if (process.env.LOCAL_RUN_DIR) return;
  rmSync(KEPT_LOGS, { recursive: true, force: true });
  mkdirSync(KEPT_LOGS, { recursive: true });
  await synthesizeOnce();
  const dynamodb = await startDynamodb(undefined, console.error, 'test');
  process.env.LOCAL_DYNAMODB = dynamodb.url;
  const dataDir = mkdtempSync(join(tmpdir(), 'fraud-screening-'));
  const { child } = await startLocalRun(dataDir);
  shared = { child, dataDir, dynamodb };
  process.env.LOCAL_RUN_DIR = dataDir;
  process.env.PACKED_SDKS = join(dataDir, 'packed-sdks');
  mkdirSync(process.env.PACKED_SDKS);
}

/** jest's globalTeardown: whatever all tests together made functions log is looked through, then it goes. */
export async function stopShared(): Promise<void> {
  if (!shared) return;
  const { child, dataDir, dynamodb } = shared;
  shared = undefined;
  await stopLocalRun(child);
  await dynamodb.stop();
  keepLogs(dataDir, 'shared');
  expectCleanLogs(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

/** The run that this test file talks to. */
export const localRun = (): RunFile & { readonly dataDir: string } => {
  const dataDir = process.env.LOCAL_RUN_DIR ?? '';
  return { ...(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunFile), dataDir };
};
