import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { UsageError } from '../../shared/cli/command-line';
import type { Stage } from '../../shared/domain/stage';
import { sqsDeliveryQueue } from '../../shared/queue/delivery-queue';
import { deadLetters } from '../../shared/queue/relay-failures';
import {
  type AdminWiring,
  adminWiring,
  localClient,
  type StageAddress,
  stageAddress,
} from '../../shared/runtime/admin-wiring';
import type { ModelAddress } from '../../shared/runtime/model-admin-wiring';
import type { RedriveDeps } from '../../shared/usecases/webhooks/redrive-dead-letters';

/** The file that a stage keeps under `.local` while it runs on this machine, with its data on disk or in memory. */
export const findRunFile = (root: string, stage: Stage): string | undefined =>
  [stage, `${stage}-in-memory`].map((name) => join(root, name, 'run.json')).find((file) => existsSync(file));

export interface Target {
  /** Printed before anything is done, so that nobody acts on the wrong stage. */
  readonly description: string;
  readonly deps: AdminWiring & {
    readonly deliveries: RedriveDeps;
    /** Where the stage's API is, with a slash at the end. */
    readonly apiUrl: string;
  };
}

type Address = StageAddress & ModelAddress & { readonly outputs: Readonly<Record<string, string>> };

interface RunFile {
  readonly url: string;
  readonly awsEndpoint: string;
  readonly secret: string;
  readonly outputs: Record<string, string>;
}

/** The stage running on this machine, found by the file that the local run keeps in its data directory while it is up. */
function localAddress(stage: Stage): Address {
  const { LOCAL_DATA_DIR: directory } = process.env;
  const file = directory ? join(directory, 'run.json') : findRunFile(join(__dirname, '../../.local'), stage);
  if (file === undefined || !existsSync(file)) {
    const start = stage === 'production' ? 'npm start -- --stage production' : 'npm start';
    throw new UsageError(
      `No local ${stage} stage is running. Start one with: ${start}  (or add --aws to act on AWS). If it was started with --data-dir: LOCAL_DATA_DIR=<directory> npm run admin -- …`,
    );
  }
  const run = JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  const client = localClient(run);
  const { ModelRegistryBucket: bucket = '' } = run.outputs;
  return {
    ...stageAddress(run.outputs, client),
    models: { bucket, ...client },
    outputs: { ...run.outputs, ApiUrl: `${run.url}/` },
  };
}

async function awsAddress(stage: Stage): Promise<Address> {
  const stackName = `FraudScreening-${stage}`;
  const cloudFormation = new CloudFormationClient({});
  const { Stacks: stacks } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName: stackName }))
    .catch((error: Error) => {
      throw new UsageError(`Could not read the stack ${stackName} with your AWS credentials: ${error.message}`);
    });
  const outputs = Object.fromEntries(
    (stacks?.[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  const address = stageAddress(outputs, {});
  const { ModelRegistryBucket: bucket = '' } = outputs;
  if ([...Object.values(address), bucket].includes('')) {
    throw new UsageError(`The stack ${stackName} lacks outputs that this version needs. Deploy it first.`);
  }
  const models = { bucket, region: await cloudFormation.config.region() };
  return { ...address, models, outputs };
}

export async function findAddress(stage: Stage, inAws: boolean): Promise<Address & { readonly description: string }> {
  const address = inAws ? await awsAddress(stage) : localAddress(stage);
  const where = inAws ? `AWS stack FraudScreening-${stage}` : `local run, stage ${stage}`;
  return { ...address, description: `${where} (table ${address.tableName})` };
}

export async function findTarget(stage: Stage, inAws: boolean): Promise<Target> {
  const address = await findAddress(stage, inAws);
  const { ApiUrl: apiUrl = '' } = address.outputs;
  const deps = { ...adminWiring(stage, address), deliveries: redriveDeps(address), apiUrl };
  return { description: address.description, deps };
}

function redriveDeps({ outputs, client }: Address): RedriveDeps {
  const queues = new SQSClient(client);
  return {
    dead: deadLetters(queues, outputs.DeadLetterQueueUrl ?? ''),
    queue: sqsDeliveryQueue(queues, outputs.RetryQueueUrl ?? ''),
  };
}
