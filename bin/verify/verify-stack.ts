import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { type CommandLine, type Given, STAGE_OPTIONS, UsageError } from '../../shared/cli/command-line';
import { CHECKS } from './checks';

const STACK = 'FraudScreening-Verify';

export interface VerifyStack {
  readonly ReceiverUrl: string;
  readonly ReceiverQueueUrl: string;
  readonly AuthorizationProbeUrl: string;
}

/** Options that the stack shares with the stage: the rest of its options is about the stage alone. */
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

/** Removes it; says what to type if that failed. */
export function removeVerifyStack(context: readonly string[]): void {
  if (cdk(['destroy', '--force'], context)) return;
  throw new Error(`it is still there, with a public URL. Run: npx cdk destroy ${STACK} ${context.join(' ')}`);
}

export const VERIFY_LINE = {
  usage: 'npm run verify -- --aws --stage sandbox   or   npm run verify -- --url http://localhost:3000 [--key KEY]',
  about: 'Checks a running stage end to end, with a throw-away account: everything works, or exactly what does not.',
  options: {
    ...STAGE_OPTIONS,
    url: { value: 'url', does: 'check the API at this URL instead: a local run, or any stage with --key' },
    key: { value: 'key', does: 'use this API key; labels and screenings of the checks then stay in its account' },
    console: { value: 'url', does: 'URL of the review console, where it is not known from the outputs' },
    receiver: {
      value: 'url',
      does: 'your own webhook receiver, or "none"; by default one is started, with --aws it is deployed and removed',
    },
    token: { value: 'token', does: 'where people sign in by OpenID Connect: a token of one, which must be accepted' },
    context: {
      value: 'n=v',
      does: 'with --aws: an option of cdk for the receiver; account, region and qualifier are those of the stage',
      short: 'c',
      isList: true,
    },
    only: { value: 'a,b', does: 'only these checks' },
    skip: { value: 'a,b', does: 'all but these checks' },
    report: { value: 'file', does: 'write the report to a file as well' },
  },
  notes: `Checks: ${CHECKS.map(({ name }) => name).join(', ')}. Exits with 0 if none failed.`,
  next: 'npm run admin -- accounts create "My shop" --aws creates the first account; docs/runbook.md if a check failed.',
} as const satisfies CommandLine;

export function checkNames({ texts }: Given, option: 'only' | 'skip'): readonly string[] {
  const names = (texts[option] ?? '').split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown)
    throw new UsageError(`--${option} ${unknown}: no such check. There are ${CHECKS.map((c) => c.name).join(', ')}.`);
  return names;
}
