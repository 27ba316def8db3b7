import {
  type Resource,
  resolved,
  ruleFor,
  type SynthesizedApp,
  type TemplateRule,
  textOf,
  type Value,
} from './synthesized-app';

const MAPPING = 'AWS::Lambda::EventSourceMapping';
const FUNCTION = 'AWS::Lambda::Function';
const GUIDE = 'https://docs.aws.amazon.com/lambda/latest/dg';

const RESERVED =
  /^(?:_HANDLER|_X_AMZN_TRACE_ID|AWS_(?:DEFAULT_REGION|REGION|EXECUTION_ENV|ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|AWS_LAMBDA_(?:FUNCTION_NAME|FUNCTION_MEMORY_SIZE|FUNCTION_VERSION|INITIALIZATION_TYPE|LOG_GROUP_NAME|LOG_STREAM_NAME|RUNTIME_API)|LAMBDA_(?:TASK_ROOT|RUNTIME_DIR)|TZ)$/;
const MAX_ENVIRONMENT_BYTES = 4_096;
const MAX_RESOURCE_POLICY_BYTES = 20_480;

/** Actions that Lambda requires of the function's role when a mapping is created. */
const READ_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'AWS::SQS::Queue': ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  'AWS::DynamoDB::GlobalTable': [
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
  ],
};

function functionBehind(app: SynthesizedApp, resource: Resource | undefined): Resource | undefined {
  if (!resource || resource.Type === FUNCTION) return resource;
  return functionBehind(app, app.target(resource, resource.Properties.FunctionName));
}

function policiesOf(
  app: SynthesizedApp,
  lambda: Resource,
): readonly { readonly policy: Resource; readonly statements: readonly Value[] }[] {
  const role = app.target(lambda, lambda.Properties.Role);
  if (!role) return [];
  const attached = app
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => app.targets(policy.stack, policy.Properties.Roles).includes(role))
    .map((policy) => ({ policy, statements: [policy.Properties.PolicyDocument.Statement].flat() }));
  const inline = [role.Properties.Policies ?? []]
    .flat()
    .flatMap(({ PolicyDocument }: Value) => PolicyDocument.Statement);
  return [{ policy: role, statements: inline }, ...attached];
}

function granting(app: SynthesizedApp, lambda: Resource, action: string, on: Resource): Resource | undefined {
  const allows =
    (policy: Resource) =>
    (statement: Value): boolean =>
      statement.Effect === 'Allow' &&
      [statement.Action]
        .flat()
        .some((each: string) => each === action || (each.endsWith('*') && action.startsWith(each.slice(0, -1)))) &&
      ([statement.Resource].flat().includes('*') || app.targets(policy.stack, statement.Resource).includes(on));
  return policiesOf(app, lambda).find(({ policy, statements }) => statements.some(allows(policy)))?.policy;
}

const permissionsOf = (app: SynthesizedApp, target: Resource | undefined): readonly Resource[] =>
  app
    .ofType('AWS::Lambda::Permission')
    .filter((permission) => app.target(permission, permission.Properties.FunctionName) === target);

/** Every leaf of a pattern is a list, of at least one entry. */
function isPattern(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null && Object.values(value).every(isPattern);
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const bytes = (value: Value): number => Buffer.byteLength(JSON.stringify(resolved(value)));

export const lambdaRules: readonly TemplateRule[] = [
  ruleFor('environment-size', `${GUIDE}/configuration-envvars.html`, FUNCTION, ({ Properties: p }) => {
    const size = bytes(p.Environment?.Variables ?? {});
    return (
      size > MAX_ENVIRONMENT_BYTES &&
      `Its environment has ${size} bytes of ${MAX_ENVIRONMENT_BYTES}. Move the largest value to a parameter or the code.`
    );
  }),
  ruleFor('reserved-environment', `${GUIDE}/configuration-envvars.html`, FUNCTION, ({ Properties: p }) => {
    const wrong = Object.keys(p.Environment?.Variables ?? {}).find(
      (name) => RESERVED.test(name) || !/^[A-Za-z]\w+$/.test(name),
    );
    return (
      wrong && `The variable ${wrong} is reserved, or not two letters, digits or underscores after a letter. Rename it.`
    );
  }),
  ruleFor(
    'log-levels-need-json',
    `${GUIDE}/monitoring-cloudwatchlogs-log-level.html`,
    FUNCTION,
    ({ Properties: { LoggingConfig: logging = {} } }) =>
      logging.LogFormat !== 'JSON' &&
      (logging.SystemLogLevel || logging.ApplicationLogLevel) &&
      'Log levels need LogFormat JSON.',
  ),
  ruleFor('role-policy-before-mapping', 'https://github.com/aws/aws-cdk/issues/6770', MAPPING, (mapping, app) => {
    const lambda = functionBehind(app, app.target(mapping, mapping.Properties.FunctionName));
    const source = app.target(mapping, mapping.Properties.EventSourceArn);
    if (!lambda || !source) return undefined;
    const before = app.before(mapping);
    const failures = app.target(mapping, mapping.Properties.DestinationConfig);
    const needed = [
      ...(READ_ACTIONS[source.Type] ?? []).map((action) => [action, source] as const),
      ...(failures?.Type === 'AWS::SQS::Queue' ? [['sqs:SendMessage', failures] as const] : []),
    ];
    for (const [action, on] of needed) {
      const policy = granting(app, lambda, action, on);
      if (!policy) return `The role of ${lambda.id} may not call ${action} on ${on.id}. Grant it.`;
      if (!before.has(policy))
        return `It may be made before ${policy.id}, which grants ${action}. Add it to DependsOn.`;
    }
    return undefined;
  }),
  ruleFor('queue-visibility', `${GUIDE}/services-sqs-configure.html`, MAPPING, (mapping, app) => {
    const lambda = functionBehind(app, app.target(mapping, mapping.Properties.FunctionName));
    const queue = app.target(mapping, mapping.Properties.EventSourceArn);
    if (!lambda || queue?.Type !== 'AWS::SQS::Queue') return undefined;
    const [visible, timeout] = [queue.Properties.VisibilityTimeout ?? 30, lambda.Properties.Timeout ?? 3];
    return (
      visible < timeout &&
      `${queue.id} hides a message for ${visible} s and ${lambda.id} works for ${timeout} s. Raise VisibilityTimeout to six times that.`
    );
  }),
  ruleFor('queue-batch', `${GUIDE}/services-sqs-parameters.html`, MAPPING, ({ stack, Properties: p }, app) => {
    const [queue] = app.targets(stack, p.EventSourceArn);
    if (queue?.Type !== 'AWS::SQS::Queue') return undefined;
    const { BatchSize: size = 10, MaximumBatchingWindowInSeconds: window = 0 } = p;
    if (queue.Properties.FifoQueue && (size > 10 || window > 0))
      return 'A FIFO queue takes batches of 10 at most, without a batching window.';
    if (size > 10 && window < 1)
      return `A batch of ${size} messages needs MaximumBatchingWindowInSeconds of at least 1.`;
    const ofStreams = [
      'StartingPosition',
      'ParallelizationFactor',
      'BisectBatchOnFunctionError',
      'MaximumRetryAttempts',
      'TumblingWindowInSeconds',
      'DestinationConfig',
    ].find((name) => p[name] !== undefined);
    return ofStreams && `${ofStreams} is for streams. Remove it from the mapping of a queue.`;
  }),
  ruleFor('stream-mapping', `${GUIDE}/services-ddb-params.html`, MAPPING, ({ stack, Properties: p }, app) => {
    const [source] = app.targets(stack, p.EventSourceArn);
    if (!source || source.Type === 'AWS::SQS::Queue') return undefined;
    if (!source.Properties.StreamSpecification) return `${source.id} has no stream. Add StreamSpecification.`;
    if (!p.StartingPosition) return 'A stream needs a StartingPosition.';
    return p.ScalingConfig && 'ScalingConfig is for queues. Use ParallelizationFactor.';
  }),
  ruleFor(
    'two-readers-per-stream',
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html',
    'AWS::DynamoDB::GlobalTable',
    (table, app) => {
      const readers = app
        .ofType(MAPPING)
        .filter((mapping) => app.target(mapping, mapping.Properties.EventSourceArn) === table);
      return (
        readers.length > 2 &&
        `${readers.length} mappings read its stream, which serves two before it throttles. Join some.`
      );
    },
  ),
  ruleFor('filter-pattern', `${GUIDE}/invocation-eventfiltering.html`, MAPPING, ({ Properties: p }) => {
    const wrong = (p.FilterCriteria?.Filters ?? []).find(({ Pattern }: Value) => !isPattern(parsed(textOf(Pattern))));
    return wrong && `${textOf(wrong.Pattern)} is not a pattern: JSON whose every leaf is a list.`;
  }),
  ruleFor(
    'permission-policy-size',
    'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
    ['AWS::Lambda::Alias', FUNCTION],
    (target, app) => {
      const own = permissionsOf(app, target);
      const size = own.reduce((total, { id, Properties }) => total + id.length + bytes(Properties), 0);
      return (
        size > MAX_RESOURCE_POLICY_BYTES &&
        `${own.length} permissions make a policy of ${size} bytes of ${MAX_RESOURCE_POLICY_BYTES}. Grant by pattern instead.`
      );
    },
  ),
  ruleFor(
    'schedule-may-invoke',
    'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html',
    'AWS::Events::Rule',
    (rule, app) => {
      const targets = app
        .targets(rule.stack, rule.Properties.Targets)
        .filter(({ Type }) => Type.startsWith('AWS::Lambda::'));
      const isInvoked = ({ stack, Properties: p }: Resource): boolean =>
        p.Principal === 'events.amazonaws.com' && app.targets(stack, p.SourceArn).includes(rule);
      const denied = targets.find((target) => !permissionsOf(app, target).some(isInvoked));
      return denied && `No AWS::Lambda::Permission lets this rule invoke ${denied.id}: it would never run.`;
    },
  ),
  ruleFor('function-url-permissions', `${GUIDE}/urls-auth.html`, 'AWS::Lambda::Url', (url, app) => {
    if (url.Properties.AuthType !== 'NONE') return undefined;
    const target = app.target(url, url.Properties.TargetFunctionArn);
    const granted = permissionsOf(app, target);
    const missing = ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'].find(
      (action) => !granted.some(({ Properties: p }) => p.Action === action && p.Principal === '*'),
    );
    return missing && `A public URL needs a permission of ${missing} for everyone: each call would be 403.`;
  }),
  ruleFor(
    'alias-deployment',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html',
    'AWS::Lambda::Alias',
    (alias, app) => {
      const update = alias.UpdatePolicy?.CodeDeployLambdaAliasUpdate;
      if (!update) return undefined;
      const group = app.target(alias, update.DeploymentGroupName);
      if (group?.Type !== 'AWS::CodeDeploy::DeploymentGroup')
        return 'Its deployment group may not exist. Refer to the AWS::CodeDeploy::DeploymentGroup.';
      const application = app.target(alias, update.ApplicationName);
      return (
        app.target(group, group.Properties.ApplicationName) !== application &&
        `${group.id} belongs to another application.`
      );
    },
  ),
];
