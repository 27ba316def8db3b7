import { randomBytes } from 'node:crypto';
import type { DataDirectory } from '../data-directory';
import { readJsonFile, writeJsonFile } from '../json-file';
import type { LocalOptions } from '../options';
import { StartError } from '../start-error';
import { type AwsClient, awsClient } from './aws-client';
import { DATABASE_REGION, startDynamodb } from './dynamodb';
import { type Backend, startFauxqs } from './fauxqs';

/** The emulators behind the front, and how to talk to them. */
export interface Backends {
  readonly dynamodb: AwsClient;
  /** SQS and S3. */
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

/** Starts DynamoDB Local and fauxqs together, or points to the user's own emulator. */
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
