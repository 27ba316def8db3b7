import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { UsageError } from '../../shared/cli/command-line';

const STACK = 'FraudScreening-Verify';
const CONTEXT = ['-c', 'verifyReceiver=on'];

/** What the stack offers: a receiver of webhooks and a probe of API Gateway's authorizers. */
export interface VerifyStack {
  readonly ReceiverUrl: string;
  readonly ReceiverQueueUrl: string;
  readonly AuthorizationProbeUrl: string;
}

function cdk(...args: readonly string[]): boolean {
  const command = ['cdk', ...args, STACK, ...CONTEXT];
  console.error(`> npx ${command.join(' ')}`);
  // Its stdout goes to ours: a report on stdout stays clean.
  return spawnSync('npx', command, { cwd: join(__dirname, '../..'), stdio: ['ignore', 2, 2] }).status === 0;
}

/** Deploys the stack, which takes a minute or two, and reads its outputs. */
export async function deployVerifyStack(): Promise<VerifyStack> {
  if (!cdk('deploy', '--require-approval', 'never')) {
    throw new UsageError(`${STACK} could not be deployed. Name a receiver of your own with --receiver, or "none".`);
  }
  const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: STACK }),
  );
  const outputs = (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
  return Object.fromEntries(outputs) as VerifyStack;
}

/** Removes it; false if that failed. */
export const removeVerifyStack = (): boolean => cdk('destroy', '--force');
