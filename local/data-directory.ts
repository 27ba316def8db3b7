import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file';
import type { LocalOptions } from './options';
import { StartError } from './start-error';

/** The files of a run: everything that survives a restart. */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  readonly objects: string;
  readonly secrets: string;
  readonly emulatorKey: string;
  readonly apiKeys: string;
  readonly messages: string;
  /** What the API was deployed with. */
  readonly deployment: string;
  /** How far streams were read; undefined if the tables, and so their streams, are not kept anyway. */
  readonly checkpoints: string | undefined;
  readonly logs: string;
  readonly inlineCode: string;
  readonly run: string;
  release(): void;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Locks the directory for this run: two databases on the same files would block each other. */
export function openDataDirectory({ dataDir, reset, inMemory }: LocalOptions): DataDirectory {
  const root = resolve(dataDir);
  const database = join(root, 'dynamodb');
  const lock = join(root, 'lock.json');
  const owner = readJsonFile<{ pid: number } | undefined>(lock, undefined)?.pid;
  if (owner !== undefined && isAlive(owner)) {
    throw new StartError(
      `Another local run (process ${owner}) is using ${root}. Stop it, or choose another directory with --data-dir. (If that process is something else, delete ${lock}.)`,
    );
  }
  if (inMemory && existsSync(database)) {
    throw new StartError(
      `${root} has data that an in-memory run would lose. Choose another directory with --data-dir.`,
    );
  }
  // Keys and secrets of accounts that are no longer in any table would only confuse.
  if (reset || inMemory) rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeJsonFile(lock, { pid: process.pid });
  const run = join(root, 'run.json');
  return {
    root,
    database,
    objects: join(root, 's3'),
    secrets: join(root, 'secrets.json'),
    emulatorKey: join(root, 'emulator-key.json'),
    apiKeys: join(root, 'api-keys.json'),
    messages: join(root, 'messages.json'),
    deployment: join(root, 'deployment.json'),
    checkpoints: inMemory ? undefined : join(root, 'checkpoints'),
    logs: join(root, 'logs'),
    inlineCode: join(root, 'inline-code'),
    run,
    release: () => {
      rmSync(run, { force: true });
      rmSync(lock, { force: true });
    },
  };
}
