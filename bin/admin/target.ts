import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIGatewayClient, CreateApiKeyCommand, CreateUsagePlanKeyCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Stage } from '../../shared/domain/stage';
import { systemClock } from '../../shared/runtime/clock';
import { newId } from '../../shared/runtime/ids';
import { randomBytes } from '../../shared/runtime/random';
import { type AccountAdminStore, accountAdminStore } from '../../shared/store/account-store';
import type { AdminDeps } from '../../shared/usecases/administer-accounts';

/** A deployed stage that the command line can act on: in AWS, or on this machine. */
export interface Target {
  /** Said before anything is done, so that nobody acts on the wrong stage. */
  readonly description: string;
  readonly deps: AdminDeps & { readonly accounts: AccountAdminStore };
}

/** What the command line must know of a stage. */
export interface StageAddress {
  readonly tableName: string;
  readonly usagePlanId: string;
  /** How to reach AWS; empty for the caller's own credentials and region. */
  readonly client: object;
}

/** A mistake that the person at the keyboard can mend: shown as one sentence, without a stack trace. */
export class UsageError extends Error {}

/** The stage that runs on this machine, by the file that the local run leaves while it is up. */
function localAddress(stage: Stage): StageAddress {
  const file = join(__dirname, '../../.local', stage, 'run.json');
  if (!existsSync(file)) {
    const start = stage === 'production' ? 'npm start -- --stage production' : 'npm start';
    throw new UsageError(`No local ${stage} stage is running. Start it with: ${start}  (or add --aws to act on AWS)`);
  }
  const run = JSON.parse(readFileSync(file, 'utf8')) as { awsEndpoint: string; outputs: Record<string, string> };
  const { TableName: tableName = '', UsagePlanId: usagePlanId = '' } = run.outputs;
  return { tableName, usagePlanId, client: localClient(run.awsEndpoint) };
}

/** How an SDK client reaches the local run as its administrator, whose calls are not held to a function's policy. */
export const localClient = (awsEndpoint: string) => ({
  endpoint: awsEndpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local-admin', secretAccessKey: 'local' },
});

/** The stage that is deployed in the caller's AWS account, by the outputs of its stack. */
async function awsAddress(stage: Stage): Promise<StageAddress> {
  const stackName = `FraudScreening-${stage}`;
  const { Stacks: stacks } = await new CloudFormationClient({})
    .send(new DescribeStacksCommand({ StackName: stackName }))
    .catch((error: Error) => {
      throw new UsageError(`Could not read the stack ${stackName} with your AWS credentials: ${error.message}`);
    });
  const outputs = Object.fromEntries(
    (stacks?.[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  const { TableName: tableName, UsagePlanId: usagePlanId } = outputs;
  if (!tableName || !usagePlanId) throw new UsageError(`The stack ${stackName} has no outputs yet; deploy it first.`);
  return { tableName, usagePlanId, client: {} };
}

/** Everything the commands need to act on a stage. */
export function adminDeps(stage: Stage, { tableName, usagePlanId, client }: StageAddress): Target['deps'] {
  const gateway = new APIGatewayClient(client);
  const document = DynamoDBDocumentClient.from(new DynamoDBClient(client));
  return {
    stage,
    clock: systemClock,
    newId,
    randomBytes,
    accounts: accountAdminStore({ client: document, name: tableName }),
    createRateLimitKey: async (name, value) => {
      const { id } = await gateway.send(new CreateApiKeyCommand({ name, value, enabled: true }));
      if (!id) throw new Error('API Gateway returned a key without an id');
      await gateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' }));
      return id;
    },
  };
}

/** Finds the stage to act on. */
export async function findTarget(stage: Stage, inAws: boolean): Promise<Target> {
  const address = inAws ? await awsAddress(stage) : localAddress(stage);
  const where = inAws ? `AWS stack FraudScreening-${stage}` : `local run, stage ${stage}`;
  return { description: `${where} (table ${address.tableName})`, deps: adminDeps(stage, address) };
}
