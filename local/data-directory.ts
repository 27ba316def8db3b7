import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { StartError } from './start-error';

export function readJsonFile<T>(path: string, fallback: T): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  }
}

function writeDraft(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return draft;
}

/** Writes a JSON file that only its owner can read, atomically: if the process is killed, the old file stays. */
export function writeJsonFile(path: string, value: unknown): void {
  renameSync(writeDraft(path, value), path);
}

/** Writes it only if it does not exist yet; false if someone else was faster. */
export function writeNewJsonFile(path: string, value: unknown): boolean {
  const draft = writeDraft(path, value);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

interface DirectoryOptions {
  readonly dataDir: string;
  readonly reset?: boolean;
  readonly inMemory?: boolean;
}

/** The files of a run: everything that survives a restart. */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  readonly objects: string;
  /** Parquet files, as Firehose writes them to its bucket. */
  readonly warehouse: string;
  readonly secrets: string;
  readonly emulatorKey: string;
  readonly apiKeys: string;
  readonly messages: string;
  /** A copy of the API's last deployment. */
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
export function openDataDirectory({ dataDir, reset, inMemory }: DirectoryOptions): DataDirectory {
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
    warehouse: join(root, 'warehouse'),
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

const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a request is not for us; undefined if it is. A web page elsewhere can make its own name resolve to 127.0.0.1, and
 * a browser then sends its requests here: they carry that name as `Host`. A page may also post to us under our own name,
 * and then `Origin` gives it away.
 */
export function strangerFault({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string | undefined {
  // URLs leave out the port 80.
  const own = NAMES.map((name) => (socket.localPort === 80 ? name : `${name}:${socket.localPort}`));
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase())) {
    return `Host ${host.slice(0, 100)} is not this machine. Use ${own.slice(0, 2).join(' or ')}.`;
  }
  if (origin !== undefined && !own.some((name) => origin.toLowerCase() === `http://${name}`)) {
    return `Pages of ${origin.slice(0, 100)} must not call the local run. Use http://${own[0]}.`;
  }
  return undefined;
}

/** Answers a request that is not for us with 403; false if it is. */
export function refuseStrangers(incoming: IncomingMessage, response: ServerResponse): boolean {
  const message = strangerFault(incoming);
  if (message === undefined) return false;
  incoming.resume();
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(`${JSON.stringify({ error: { code: 'forbidden', message } })}\n`);
  return true;
}

/**
 * Closes no connection: a client that reuses an idle one at that moment would see a reset, and Node refuses (408) a request
 * that was on its way while the machine slept.
 */
export const PATIENT_SERVER = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 } as const;
