import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { UsageError } from '../../shared/cli/command-line';

const STACK = 'FraudScreening-Verify';

/** What the stack offers: a receiver of webhooks and a probe of API Gateway's authorizers. */
export interface VerifyStack {
  readonly ReceiverUrl: string;
  readonly ReceiverQueueUrl: string;
  readonly AuthorizationProbeUrl: string;
}

/** What the stack must have in common with the stage: the rest of its options is about the stage alone. */
const SHARED = ['account', 'region', '@aws-cdk/core:bootstrapQualifier'];

/** `-c` for the stack: those options of the stage, unless others are given. */
export function verifyContext(keptOptions: string, given: readonly string[]): readonly string[] {
  const kept = JSON.parse(keptOptions) as Readonly<Record<string, string>>;
  const shared = SHARED.flatMap((name) => (kept[name] === undefined ? [] : [`${name}=${kept[name]}`]));
  return ['verifyReceiver=on', ...shared, ...given].flatMap((pair) => ['-c', pair]);
}

function cdk(verb: readonly string[], context: readonly string[]): boolean {
  const [name = '', ...flags] = verb;
  const command = ['cdk', name, STACK, ...flags, ...context];
  console.error(`> npx ${command.join(' ')}`);
  // Its stdout goes to ours: a report on stdout stays clean.
  return spawnSync('npx', command, { cwd: join(__dirname, '../..'), stdio: ['ignore', 2, 2] }).status === 0;
}

/** Deploys the stack, which takes a minute or two, and reads its outputs. */
export async function deployVerifyStack(context: readonly string[]): Promise<VerifyStack> {
  if (!cdk(['deploy', '--require-approval', 'never'], context)) {
    throw new UsageError(`${STACK} could not be deployed. Name a receiver of your own with --receiver, or "none".`);
  }
  const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: STACK }),
  );
  const outputs = (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
  return Object.fromEntries(outputs) as VerifyStack;
}

/** Removes it; what to type if that failed. */
export function removeVerifyStack(context: readonly string[]): void {
  if (cdk(['destroy', '--force'], context)) return;
  throw new Error(`it is still there, with a public URL. Run: npx cdk destroy ${STACK} ${context.join(' ')}`);
}
