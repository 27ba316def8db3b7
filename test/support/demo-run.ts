import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './local-fixture/fixture';
import { GENEROUS_BUDGETS, patient } from './patience';

const ROOT = join(__dirname, '../..');

/** `npm run demo`, as somebody started it. */
export interface DemoRun {
  readonly url: string;
  readonly shopUrl: string;
  readonly key: string;
  said(): string;
  /** The exit code, once it has stopped by itself. */
  readonly exited: Promise<number | null>;
  /** Ctrl-C. */
  stop(): Promise<number | null>;
}

/** Starts the demo on free ports and waits until the shop is open. */
export async function startDemoRun(...args: readonly string[]): Promise<DemoRun> {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'demo/main.ts',
      '--port',
      '0',
      '--shop-port',
      '0',
      '--data-dir',
      join(dataDir, 'data'),
      ...args,
    ],
    { cwd: ROOT, env: { ...process.env, ...GENEROUS_BUDGETS } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const exited = once(child, 'exit').then(([code]) => {
    rmSync(dataDir, { recursive: true, force: true });
    return code as number | null;
  });
  const shown = (pattern: RegExp) =>
    eventually(async () => {
      if (child.exitCode !== null) throw new Error(`The demo ended:\n${said}`);
      return pattern.exec(said)?.[1];
    }, patient(120_000));
  const shopUrl = await shown(/shop {2,}(http:\S+)/);
  return {
    shopUrl,
    url: await shown(/review console {2,}(http:\S+)\/console/),
    key: await shown(/this key: {2}(sk_test_\w+)/),
    said: () => said,
    exited,
    stop: () => {
      child.kill('SIGINT');
      return exited;
    },
  };
}
