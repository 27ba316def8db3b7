import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { KEPT_OPTIONS_OUTPUT, mergeOptions, type Options, optionLines } from '../../lib/kept-options';
import { NESTED_STACK, readStackTemplates, type StackTemplates, type Template } from '../../lib/stack-templates';
import { type ChangeKind, type ResourceChange, templateChanges } from '../../lib/template-changes';
import { updateRefusals } from '../../lib/template-rules/update-rules';
import { UsageError } from '../../shared/cli/command-line';
import type { Stage } from '../../shared/domain/stage';
import { contextArguments, copyOf, type Deployment, type DeploymentSteps, deploymentSteps } from './deployment-steps';

/** Worst first. */
const KINDS: Readonly<Record<ChangeKind, string>> = {
  deleted: 'deleted',
  replaced: 'replaced by a new one',
  kept: 'no longer managed, left in the account',
  changed: 'changed in place',
  added: 'added',
};

const WORDS: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::DomainName': 'domain of the API',
  'AWS::ApiGateway::RestApi': 'API',
  'AWS::ApiGateway::UsagePlan': 'usage plan',
  'AWS::CloudFormation::Stack': 'nested stack',
  'AWS::CloudFront::Distribution': 'CloudFront distribution',
  'AWS::CloudWatch::Alarm': 'alarm',
  'AWS::DynamoDB::GlobalTable': 'table',
  'AWS::IAM::Policy': 'policy of a role',
  'AWS::IAM::Role': 'role',
  'AWS::KMS::Key': 'encryption key',
  'AWS::Lambda::EventSourceMapping': 'reader of a queue or stream',
  'AWS::Lambda::Function': 'function',
  'AWS::Lambda::Permission': 'permission to call a function',
  'AWS::Lambda::Version': 'version of a function',
  'AWS::Logs::LogGroup': 'log group',
  'AWS::S3::Bucket': 'bucket',
  'AWS::SNS::Subscription': 'subscription to alarms',
  'AWS::SNS::Topic': 'topic of alarms',
  'AWS::SQS::Queue': 'queue',
  'AWS::SecretsManager::Secret': 'secret',
};

const wordsFor = (type: string): string =>
  WORDS[type] ??
  type
    .replace(/^\w+::/, '')
    .replace('::', ' ')
    .toLowerCase();

/** Its path below the deployed stack, without the hashes that CDK appends. */
const nameOf = ({ stack, logicalId }: ResourceChange): string =>
  [...stack.split('/').slice(1), logicalId]
    .map((part) => part.replace(/(?:NestedStackResource)?[0-9A-F]{8}(?:[0-9a-f]{32})?$/, ''))
    .join('/');

const described = (change: ResourceChange): string =>
  `${nameOf(change)}${change.properties.length > 0 ? ` (${change.properties.join(', ')})` : ''}`;

/** One line per resource that holds something, one per type for the rest. */
function linesOf(changes: readonly ResourceChange[]): readonly string[] {
  const types = [...new Set(changes.map(({ type }) => type))].sort();
  return types.flatMap((type) => {
    const ofType = changes.filter((change) => change.type === type);
    if (ofType.some(({ isStateful }) => isStateful)) {
      return ofType.map((change) => `    ${wordsFor(type)} ${described(change)}`);
    }
    return [`    ${wordsFor(type)}, ${ofType.length}: ${ofType.map(nameOf).join(', ')}`];
  });
}

function group(title: string, changes: readonly ResourceChange[]): readonly string[] {
  if (changes.length === 0) return [`${title}: nothing changes.`];
  const parts = Object.entries(KINDS).flatMap(([kind, words]) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    return ofKind.length === 0 ? [] : [`  ${words} (${ofKind.length})`, ...linesOf(ofKind)];
  });
  return [`${title}:`, ...parts];
}

/** Another version of the code in the same stack: CDK names it after its content. */
const isNewVersion = ({ type, kind }: ResourceChange): boolean => type === 'AWS::CDK::Metadata' && kind === 'changed';

/** A stack's update in words, from the templates it has to those it gets; easily missed changes come first. */
export function changesText(before: StackTemplates, after: StackTemplates): string {
  const [root = ''] = Object.keys(after);
  const changes = templateChanges(before, after).filter((change) => !isNewVersion(change));
  if (changes.length === 0) return `${root}: nothing changes.\n`;
  const isFirst = Object.keys(before).length === 0;
  const held = changes.filter(({ isStateful }) => isStateful);
  const lost = held.filter(({ kind }) => kind === 'deleted' || kind === 'replaced');
  const verdict = isFirst
    ? 'Nothing is deployed yet.'
    : lost.length === 0
      ? 'Nothing that holds data, an address or a subscription is replaced or deleted.'
      : `WOULD BE LOST: ${lost.map((change) => `${wordsFor(change.type)} ${nameOf(change)}`).join(', ')}.`;
  return [
    `${root}. ${verdict}`,
    ...group('Holds data, an address or a subscription', held),
    ...group(
      'Everything else',
      changes.filter(({ isStateful }) => !isStateful),
    ),
    '',
  ].join('\n');
}

type CloudFormation = Pick<CloudFormationClient, 'send'>;

/** States in which nothing is deployed yet, or nothing any more. */
const EMPTY = /^(?:REVIEW_IN_PROGRESS|ROLLBACK_COMPLETE|DELETE_COMPLETE)$/;

const isMissing = (error: unknown): boolean => /does not exist/.test((error as Error).message);

/**
 * The options that a stage was deployed with: none before its first deployment, `unknown` for a stage that was deployed by
 * a version that kept none.
 */
export async function keptOptions(cloudFormation: CloudFormation, stage: Stage): Promise<Options | 'unknown'> {
  const StackName = `FraudScreening-${stage}`;
  const { Stacks: [stack] = [] } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error: unknown) => {
      if (isMissing(error)) return { Stacks: [] };
      throw new UsageError(
        `The options of ${StackName} cannot be read, and without them a deployment could take a domain or sign-in away: ${(error as Error).message}`,
      );
    });
  if (!stack || EMPTY.test(stack.StackStatus ?? '')) return {};
  const kept = stack.Outputs?.find(({ OutputKey }) => OutputKey === KEPT_OPTIONS_OUTPUT)?.OutputValue;
  return kept === undefined ? 'unknown' : (JSON.parse(kept) as Options);
}

async function nestedIn(cloudFormation: CloudFormation, StackName: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let NextToken: string | undefined;
  do {
    const command: ListStackResourcesCommand = new ListStackResourcesCommand({
      StackName,
      ...(NextToken ? { NextToken } : {}),
    });
    const page = await cloudFormation.send(command);
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== NESTED_STACK || !LogicalResourceId || !PhysicalResourceId) continue;
      found.set(LogicalResourceId, PhysicalResourceId);
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return found;
}

/** The templates that a stack and those nested in it have now, by path; none if there is no such stack. */
export async function deployedTemplates(
  cloudFormation: CloudFormation,
  path: string,
  StackName = path,
): Promise<StackTemplates> {
  try {
    const deployed = await cloudFormation.send(new GetTemplateCommand({ StackName, TemplateStage: 'Original' }));
    const templates = { [path]: JSON.parse(deployed.TemplateBody ?? '{}') as Template };
    for (const [id, arn] of await nestedIn(cloudFormation, StackName)) {
      Object.assign(templates, await deployedTemplates(cloudFormation, `${path}/${id}`, arn));
    }
    return templates;
  } catch (error) {
    if (isMissing(error)) return {};
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The template of ${StackName} cannot be read: ${(error as Error).message}`);
  }
}

export interface DeployDeps {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  readonly runs: (command: readonly string[], cwd: string) => boolean;
  readonly print: (text: string) => void;
  readonly root: string;
}

/** The options to deploy with; anything unclear is a `UsageError`, before anything is touched. */
async function optionsOf(deployment: Deployment, { cloudFormation, print }: DeployDeps): Promise<Options> {
  const { stage, given, drop, adopt, dryRun, from } = deployment;
  const found = from === undefined ? await keptOptions(cloudFormation, stage) : {};
  if (found === 'unknown' && !adopt && !dryRun) {
    throw new UsageError(
      `FraudScreening-${stage} keeps no options: an older version deployed it. Give every option that it has ` +
        '(-c name=value), and add --adopt; what you leave out is lost: a domain, sign-in, subscriptions, event bus, quota.',
    );
  }
  if (found !== 'unknown' && adopt) {
    throw new UsageError(`FraudScreening-${stage} keeps its options already. Leave out --adopt.`);
  }
  const kept = found === 'unknown' ? {} : found;
  const merged = mergeOptions(stage, kept, { given, drop });
  if ('problem' in merged) throw new UsageError(merged.problem);
  const lines = optionLines(kept, merged.options);
  print(lines.length === 0 ? `Options of ${stage}: none` : [`Options of ${stage}:`, ...lines].join('\n'));
  return merged.options;
}

/** Runs steps around some work; always cleans up after them. */
function within(
  { before, after }: Pick<DeploymentSteps, 'before' | 'after'>,
  directory: string,
  { runs, root }: DeployDeps,
  work: () => boolean,
): boolean {
  try {
    return before.every(({ command, inside }) => runs(command, inside ? directory : root)) && work();
  } finally {
    for (const command of after) runs(command, root);
  }
}

type Stacks = readonly StackTemplates[];

const rootsOf = (stage: string): readonly string[] => ['FraudScreening-Models', `FraudScreening-${stage}`];

const stacksIn = (folder: string, stage: string): Stacks =>
  rootsOf(stage).map((root) => readStackTemplates(folder, root));

function synthesized(checkout: string, stage: string, options: Options, { runs }: DeployDeps): Stacks {
  const folder = mkdtempSync(join(tmpdir(), 'fraud-screening-templates-'));
  try {
    const synth = ['npx', 'cdk', 'synth', '--quiet', '--output', folder, ...contextArguments(options)];
    if (!runs(synth, checkout)) throw new UsageError('The templates could not be made: see above.');
    return stacksIn(folder, stage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function templatesAt(commit: string | undefined, stage: string, options: Options, deps: DeployDeps): Stacks {
  if (commit === undefined) return synthesized(deps.root, stage, options, deps);
  const directory = newCopy();
  let made: Stacks = [];
  const isMade = within(copyOf(commit, directory), directory, deps, () => {
    made = synthesized(directory, stage, options, deps);
    return true;
  });
  if (!isMade) throw new UsageError(`The commit ${commit} could not be checked out: see above.`);
  return made;
}

const newCopy = (): string => join(mkdtempSync(join(tmpdir(), 'fraud-screening-')), 'source');

async function showChanges(deployment: Deployment, options: Options, deps: DeployDeps): Promise<boolean> {
  const { stage, commit, from } = deployment;
  const after = templatesAt(commit, stage, options, deps);
  const here = from !== undefined && existsSync(from) ? stacksIn(from, stage) : undefined;
  const before =
    from === undefined
      ? await Promise.all(rootsOf(stage).map((root) => deployedTemplates(deps.cloudFormation, root)))
      : (here ?? templatesAt(from, stage, options, deps));
  for (const [index, templates] of after.entries()) deps.print(changesText(before[index] ?? {}, templates));
  const refusals = after.flatMap((templates, index) => updateRefusals(before[index] ?? {}, templates));
  if (refusals.length > 0) deps.print(['AWS WOULD REFUSE THIS UPDATE:', ...refusals].join('\n  '));
  return refusals.length === 0;
}

export async function deploy(deployment: Deployment, deps: DeployDeps): Promise<boolean> {
  const options = await optionsOf(deployment, deps);
  if (deployment.dryRun) return showChanges(deployment, options, deps);
  const directory = deployment.commit ? newCopy() : deps.root;
  const steps = deploymentSteps(deployment, options, directory);
  return within(steps, directory, deps, () => deps.runs(steps.deploy, directory));
}
