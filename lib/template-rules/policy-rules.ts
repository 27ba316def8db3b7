import {
  type Resource,
  resolved,
  ruleFor,
  type SynthesizedApp,
  type TemplateRule,
  textOf,
  type Value,
} from './synthesized-app';

const IAM_GUIDE = 'https://docs.aws.amazon.com/IAM/latest/UserGuide';
const MAX_INLINE_CHARACTERS = 10_240;

/** The types with a policy, and whether its statements name principals. */
const POLICIES: ReadonlyArray<readonly [type: string, property: string, names: 'principal' | 'no principal']> = [
  ['AWS::IAM::Policy', 'PolicyDocument', 'no principal'],
  ['AWS::IAM::ManagedPolicy', 'PolicyDocument', 'no principal'],
  ['AWS::IAM::Role', 'AssumeRolePolicyDocument', 'principal'],
  ['AWS::KMS::Key', 'KeyPolicy', 'principal'],
  ['AWS::S3::BucketPolicy', 'PolicyDocument', 'principal'],
  ['AWS::SNS::TopicPolicy', 'PolicyDocument', 'principal'],
  ['AWS::SQS::QueuePolicy', 'PolicyDocument', 'principal'],
];

const statementsOf = (document: Value): readonly Value[] => [document?.Statement ?? []].flat();
const isEmpty = (value: Value): boolean => value !== undefined && [value].flat().length === 0;

function malformed(statement: Value, names: 'principal' | 'no principal', isTrust: boolean): string | undefined {
  const { Action, NotAction, Resource: on, NotResource, Principal, NotPrincipal } = statement;
  const actions = [Action ?? NotAction ?? []].flat();
  if (isEmpty(actions)) return 'A statement has no action.';
  const plain = actions.find(
    (action) => typeof action === 'string' && action !== '*' && !/^[a-z0-9-]+:[\w*?]+$/.test(action),
  );
  if (plain) return `The action ${plain} is not <service>:<action>.`;
  if (!isTrust && (on ?? NotResource) === undefined) return 'A statement has no resource.';
  if (isEmpty(on) || isEmpty(NotResource)) return 'A statement has an empty list of resources.';
  const hasPrincipal = (Principal ?? NotPrincipal) !== undefined;
  if (hasPrincipal !== (names === 'principal'))
    return hasPrincipal ? 'A policy of a role names no principal.' : 'A statement names no principal.';
  return undefined;
}

function unusable(document: Value, names: 'principal' | 'no principal', isTrust = false): string | undefined {
  if (document?.Version !== '2012-10-17') return 'The policy needs Version 2012-10-17.';
  const statements = statementsOf(document);
  if (statements.length === 0) return 'The policy has no statement.';
  const sids = statements.flatMap(({ Sid }) => Sid ?? []);
  if (new Set(sids).size < sids.length) return 'Two statements have one Sid.';
  return statements.map((each) => malformed(each, names, isTrust)).find(Boolean);
}

const inlineOf = (app: SynthesizedApp, role: Resource): readonly Value[] => [
  ...(role.Properties.Policies ?? []).map(({ PolicyDocument }: Value) => PolicyDocument),
  ...app
    .ofType('AWS::IAM::Policy')
    .filter(({ stack, Properties }) => app.targets(stack, Properties.Roles).includes(role))
    .map(({ Properties }) => Properties.PolicyDocument),
];

const allows = (statement: Value, action: string): boolean =>
  statement.Effect === 'Allow' &&
  [statement.Action].flat().some((each: string) => new RegExp(`^${each.replaceAll('*', '.*')}$`).test(action));

export const policyRules: readonly TemplateRule[] = [
  ...POLICIES.map(([type, property, names]) =>
    ruleFor(`policy-document ${type}`, `${IAM_GUIDE}/reference_policies_grammar.html`, type, ({ Properties: p }) => {
      const inline = (p.Policies ?? []).map(({ PolicyDocument }: Value) => unusable(PolicyDocument, 'no principal'));
      const isTrust = property === 'AssumeRolePolicyDocument';
      return [unusable(p[property], names, isTrust), ...inline].find(Boolean);
    }),
  ),
  ruleFor('inline-policies-size', `${IAM_GUIDE}/reference_iam-quotas.html`, 'AWS::IAM::Role', (role, app) => {
    const size = inlineOf(app, role).reduce(
      (total, document) => total + JSON.stringify(resolved(document)).replace(/\s/g, '').length,
      0,
    );
    return (
      size > MAX_INLINE_CHARACTERS &&
      `Its inline policies have ${size} of ${MAX_INLINE_CHARACTERS} characters together. Grant by pattern or split the function.`
    );
  }),
  ruleFor(
    'key-stays-manageable',
    'https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html',
    'AWS::KMS::Key',
    ({ Properties: { KeyPolicy } }) => {
      const kept = statementsOf(KeyPolicy).some(
        (statement) => allows(statement, 'kms:PutKeyPolicy') && /:root$/.test(textOf(statement.Principal?.AWS ?? '')),
      );
      return !kept && 'Nobody could change its policy later. Allow kms:* to the root of the account.';
    },
  ),
  ruleFor(
    'alarms-reach-encrypted-topics',
    'https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html',
    'AWS::SNS::Topic',
    (topic, app) => {
      const { KmsMasterKeyId: key } = topic.Properties;
      const alarms = app.ofType('AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm');
      if (!key || !alarms.some((alarm) => app.targets(alarm.stack, alarm.Properties.AlarmActions).includes(topic)))
        return undefined;
      const statements = statementsOf(app.target(topic, key)?.Properties.KeyPolicy);
      const forAlarms = statements.filter(
        ({ Principal }) => textOf(Principal?.Service ?? '') === 'cloudwatch.amazonaws.com',
      );
      const missing = ['kms:Decrypt', 'kms:GenerateDataKey'].find(
        (action) => !forAlarms.some((each) => allows(each, action)),
      );
      return (
        missing &&
        `CloudWatch may not ${missing} with its key, and alarms would be lost. Allow it to cloudwatch.amazonaws.com, on a key of your own.`
      );
    },
  ),
  ruleFor(
    'bucket-blocks-public-policy',
    'https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html',
    'AWS::S3::BucketPolicy',
    (policy, app) => {
      const bucket = app.target(policy, policy.Properties.Bucket);
      if (!bucket?.Properties.PublicAccessBlockConfiguration?.BlockPublicPolicy) return undefined;
      const open = statementsOf(policy.Properties.PolicyDocument).find(
        ({ Effect, Principal, Condition }) =>
          Effect === 'Allow' && !Condition && (Principal === '*' || Principal?.AWS === '*'),
      );
      return open && `It allows everyone, which ${bucket.id} blocks. Name the principal.`;
    },
  ),
  ruleFor(
    'queue-encryption',
    'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html',
    'AWS::SQS::Queue',
    ({ Properties: p }) =>
      p.SqsManagedSseEnabled && p.KmsMasterKeyId && 'It has both SqsManagedSseEnabled and KmsMasterKeyId. Keep one.',
  ),
  ruleFor(
    'dead-letter-queue',
    'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html',
    'AWS::SQS::Queue',
    (queue, app) => {
      if (queue.Properties.FifoQueue && !/\.fifo$/.test(textOf(queue.Properties.QueueName ?? 'x.fifo')))
        return 'The name of a FIFO queue ends with .fifo.';
      const dead = app.target(queue, queue.Properties.RedrivePolicy?.deadLetterTargetArn);
      const differs = dead && Boolean(dead.Properties.FifoQueue) !== Boolean(queue.Properties.FifoQueue);
      return differs && `${dead.id} must be a FIFO queue exactly if this one is.`;
    },
  ),
  ruleFor(
    'secret-template',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html',
    'AWS::SecretsManager::Secret',
    ({ Properties: p }) => {
      const { GenerateStringKey: key, SecretStringTemplate: template } = p.GenerateSecretString ?? {};
      if (p.SecretString && p.GenerateSecretString)
        return 'It has both SecretString and GenerateSecretString. Keep one.';
      return (
        (key === undefined) !== (template === undefined) &&
        'GenerateStringKey and SecretStringTemplate need each other.'
      );
    },
  ),
];
