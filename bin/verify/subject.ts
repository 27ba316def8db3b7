import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { UsageError } from '../../shared/cli/command-line';
import type { Stage } from '../../shared/domain/stage';
import { type AdminWiring, adminWiring, localClient, stageAddress } from '../../shared/runtime/admin-wiring';
import { findAddress } from '../admin/target';
import { awsOperator } from './aws-operator';
import { type Until, untilBy } from './check';
import { CheckFailure } from './check-failure';
import { localOperator, localRunAt } from './local-operator';
import type { Operator } from './operator';

/** The stage under test, and what of it is within reach. */
export interface Subject {
  readonly description: string;
  readonly url: string;
  readonly consoleUrl: string | undefined;
  readonly admin: AdminWiring | undefined;
  readonly operator: Operator | undefined;
  readonly until: Until;
}

const AWS_LOOK_MS = 2_000;
const LOCAL_LOOK_MS = 200;
/** Training may take a quarter of an hour. */
const LONGEST_FUNCTION_MS = 15 * 60_000;

const patiently = (everyMs: number): Until => untilBy(everyMs, Date.now, delay);

/** A deployed stage, by the outputs of its stack. */
export async function stageInAws(stage: Stage): Promise<Subject> {
  const { description, outputs, ...address } = await findAddress(stage, true);
  const until = patiently(AWS_LOOK_MS);
  const requestHandler = new NodeHttpHandler({ requestTimeout: LONGEST_FUNCTION_MS });
  return {
    description,
    url: outputs.ApiUrl ?? '',
    consoleUrl: outputs.ConsoleUrl,
    admin: adminWiring(stage, address),
    operator: awsOperator({
      stage,
      outputs,
      until,
      now: Date.now,
      cloudFormation: new CloudFormationClient({}),
      cloudWatch: new CloudWatchClient({}),
      // A second invocation would only run the same sweep again, at the price of twice the wait.
      lambda: new LambdaClient({ requestHandler, maxAttempts: 1 }),
      sns: new SNSClient({}),
    }),
    until,
  };
}

function runFileIn(dataDir: string): Parameters<typeof localClient>[0] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  } catch (error) {
    throw new UsageError(`The local run's directory cannot be read: ${(error as Error).message}`);
  }
}

/** Whatever runs at a URL; a local run offers the same as a stage in AWS. */
export async function stageAt(url: string, stage: Stage, consoleUrl: string | undefined): Promise<Subject> {
  if (!/^https?:\/\/./.test(url))
    throw new UsageError(`--url ${url} is not a URL: give one like http://localhost:3000.`);
  const base = url.replace(/\/+$/, '');
  const local = await localRunAt(base).catch((error: unknown) => {
    throw error instanceof CheckFailure
      ? new UsageError(`${error.message}. Is it running, and is --url right?`)
      : error;
  });
  if (!local) {
    const until = patiently(AWS_LOOK_MS);
    return { description: base, url: base, consoleUrl, admin: undefined, operator: undefined, until };
  }
  const hasConsole = local.outputs.ConsoleUrl !== undefined;
  return {
    description: `local run ${local.stackName} at ${base}`,
    url: base,
    consoleUrl: consoleUrl ?? (hasConsole ? `${base}/console/` : undefined),
    admin: adminWiring(stage, stageAddress(local.outputs, localClient(runFileIn(local.dataDir)))),
    operator: localOperator(base),
    until: patiently(LOCAL_LOOK_MS),
  };
}
