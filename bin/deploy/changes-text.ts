import type { StackTemplates } from '../../lib/stack-templates';
import { type ChangeKind, type ResourceChange, templateChanges } from '../../lib/template-changes';

/** Worst first. */
const KINDS: Readonly<Record<ChangeKind, string>> = {
  deleted: 'deleted',
  replaced: 'replaced by a new one',
  kept: 'no longer managed, left in the account',
  changed: 'changed in place',
  added: 'added',
};

/** Plain words for what templates have most of. */
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

/** Where it is, below the stack that is deployed, without the hashes that CDK appends. */
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

/** Another version of the code in the same stack: CDK names it after what it contains. */
const isNewVersion = ({ type, kind }: ResourceChange): boolean => type === 'AWS::CDK::Metadata' && kind === 'changed';

/** An update of a stack in words, from the templates it has to those it gets: what could be missed comes first. */
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
