import type { DataDirectory } from '../data-directory';
import type { LocalOptions } from '../options';
import { StartError } from '../start-error';
import { type AwsClient, awsClient } from './aws-client';
import { startDynamodb } from './dynamodb';
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

function started(dynamodbUrl: string, fauxqsUrl: string, running: readonly Backend[]): StartedBackends {
  const clients: AwsClient[] = [];
  return {
    connect: (region) => {
      const dynamodb = awsClient(dynamodbUrl, region);
      const fauxqs = awsClient(fauxqsUrl, region);
      clients.push(dynamodb, fauxqs);
      return { dynamodb, fauxqs, ours: running.length > 0 };
    },
    stop: async () => {
      for (const { agent } of clients) agent.destroy();
      await Promise.all(running.map((backend) => backend.stop()));
    },
  };
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
    return started(endpointUrl, endpointUrl, []);
  }
  const starts = await Promise.allSettled([startDynamodb(inMemory ? undefined : data.database, print), startFauxqs()]);
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await Promise.all(running.map((backend) => backend.stop()));
    throw failed.reason;
  }
  const [dynamodb, fauxqs] = running as [Backend, Backend];
  return started(dynamodb.url, fauxqs.url, running);
}
