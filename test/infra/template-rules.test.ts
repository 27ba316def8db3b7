import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStackTemplates, type StackTemplates } from '../../lib/stack-templates';
import { LIMITS, type Limit } from '../../lib/template-rules/limits';
import { SynthesizedApp, type Value } from '../../lib/template-rules/synthesized-app';
import { findingsIn, TEMPLATE_RULES, TemplateRules } from '../../lib/template-rules/template-rules';
import { updateRules } from '../../lib/template-rules/update-rules';
import { assemblyUnderTest } from '../support/synthesize-once';

type Templates = Record<string, Value>;
type Mutation = (templates: Templates) => unknown;
type Where = (properties: Value) => unknown;

const paths = readdirSync(assemblyUnderTest())
  .filter((name) => /^FraudScreening-(?:sandbox|Models).*\.template\.json$/.test(name))
  .map((name) => join(assemblyUnderTest(), name));
/** The stacks of sandbox and those nested in them. */
const real: StackTemplates = Object.assign(
  {},
  ...['FraudScreening-Models', 'FraudScreening-sandbox'].map((stack) => readStackTemplates(assemblyUnderTest(), stack)),
);

/** The first resource of a type, with the stack it is in. */
function first(templates: Templates, type: string, where: Where = () => true) {
  for (const [stack, { Resources }] of Object.entries(templates)) {
    for (const [id, resource] of Object.entries<Value>(Resources)) {
      if (resource.Type === type && where(resource.Properties ?? {})) return { stack, id, resource };
    }
  }
  throw new Error(`no ${type} in the templates`);
}

function put(target: Value, [name = '', ...rest]: readonly string[], value: Value): void {
  const key = name.replace('[]', '');
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  target[key] ??= name.endsWith('[]') ? [{}] : {};
  put(name.endsWith('[]') ? target[key][0] : target[key], rest, value);
}

/** Changes a property of the first resource of a type; a path that begins with `^` is of the resource itself. */
const set =
  (type: string, path: string, value: Value, where?: Where): Mutation =>
  (templates) => {
    const { resource } = first(templates, type, where);
    put(path.startsWith('^') ? resource : resource.Properties, path.replace('^', '').split('.'), value);
  };
const unset =
  (type: string, name: string, where?: Where): Mutation =>
  (templates) =>
    Reflect.deleteProperty(first(templates, type, where).resource.Properties, name);
const change =
  (type: string, edit: (properties: Value) => unknown, where?: Where): Mutation =>
  (templates) =>
    edit(first(templates, type, where).resource.Properties);
/** Adds a resource next to the first one of a type, given the properties and ID of that one. */
const add =
  (type: string, properties: (beside: Value, id: string) => Value, beside = type, where?: Where): Mutation =>
  (templates) => {
    const { stack, id, resource } = first(templates, beside, where);
    templates[stack].Resources[`Mutant${Object.keys(templates[stack].Resources).length}`] = {
      Type: type,
      Properties: properties(resource.Properties, id),
    };
  };
const both =
  (...mutations: readonly Mutation[]): Mutation =>
  (templates) =>
    mutations.map((mutate) => mutate(templates));
const times = (count: number, mutation: Mutation): Mutation => both(...Array<Mutation>(count).fill(mutation));
/** Changes a part of the first template. */
const template =
  (part: string, value: Value): Mutation =>
  (templates) =>
    Object.assign(templates[Object.keys(templates)[0] ?? ''], { [part]: value });
const each =
  (type: string, edit: (resource: Value) => unknown): Mutation =>
  (templates) =>
    Object.values(templates).flatMap(({ Resources }) =>
      Object.values<Value>(Resources)
        .filter(({ Type }) => Type === type)
        .map(edit),
    );

const many = (count: number, entry: Value): Value =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`N${n}`, entry]));
const [API, LAMBDA, CLOUDWATCH, CDN] = ['AWS::ApiGateway', 'AWS::Lambda', 'AWS::CloudWatch', 'AWS::CloudFront'];
const [TABLE, QUEUE, ALARM, MAPPING] = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::SQS::Queue',
  `${CLOUDWATCH}::Alarm`,
  `${LAMBDA}::EventSourceMapping`,
];
const ofQueue: Where = (p) => !('StartingPosition' in p);
const ofStream: Where = (p) => 'StartingPosition' in p;
const isMath: Where = (p) => p.Metrics?.some(({ Expression }: Value) => Expression);
const isVariable: Where = (p) => /^\{/.test(p.PathPart);
const isToken: Where = (p) => p.Type === 'TOKEN';
const answers: Where = (p) => p.MethodResponses;
const expression = (p: Value): Value => p.Metrics.find(({ Expression }: Value) => Expression);
const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
const inline = (...Statement: readonly Value[]) => ({
  PolicyName: 'Access',
  PolicyDocument: { Version: '2012-10-17', Statement },
});

const STREAM = 'AWS::KinesisFirehose::DeliveryStream';
const converting = { Enabled: true };
const converted = (s3: object): Mutation =>
  add(
    STREAM,
    () => ({ ExtendedS3DestinationConfiguration: { DataFormatConversionConfiguration: converting, ...s3 } }),
    TABLE,
  );

/** The table and each index with capacity by the hour. */
const provisioned = (WriteCapacityAutoScalingSettings: object): Mutation =>
  change(TABLE, (p) => {
    p.BillingMode = 'PROVISIONED';
    for (const part of [p, ...p.GlobalSecondaryIndexes])
      part.WriteProvisionedThroughputSettings = { WriteCapacityAutoScalingSettings };
    const ReadProvisionedThroughputSettings = { ReadCapacityUnits: 5 };
    const GlobalSecondaryIndexes = p.GlobalSecondaryIndexes.map(({ IndexName }: Value) => ({
      ...{ IndexName, ReadProvisionedThroughputSettings },
    }));
    for (const replica of p.Replicas)
      Object.assign(replica, { ReadProvisionedThroughputSettings, GlobalSecondaryIndexes });
  });

/** For each rule, changes of the real templates that AWS would refuse. */
const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  'firehose-conversion': [
    converted({ CompressionFormat: 'GZIP' }),
    converted({ BufferingHints: { SizeInMBs: 32 } }),
    converted({ Prefix: 'dt=!{timestamp:yyyy}/' }),
  ],
  'partition-projection': [
    add(
      'AWS::Glue::Table',
      () => ({ TableInput: { PartitionKeys: [{ Name: 'dt' }], Parameters: { 'projection.enabled': 'true' } } }),
      TABLE,
    ),
  ],
  'reviewed-type': [add('AWS::EC2::Instance', () => ({}), TABLE)],
  resources: [template('Resources', many(401, { Type: 'AWS::SNS::Topic' }))],
  outputs: [template('Outputs', many(201, { Value: '' }))],
  parameters: [template('Parameters', many(201, {}))],
  'template-size': [template('Description', 'x'.repeat(1_000_000))],
  'no-circle': [
    both(set(`${LAMBDA}::Alias`, '^DependsOn', ['Mutant']), (t) => {
      const { stack, id } = first(t, `${LAMBDA}::Alias`);
      t[stack].Resources.Mutant = { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { Ref: id } } };
    }),
  ],
  exports: [
    template('Outputs', many(2, { Value: '', Export: { Name: 'twice' } })),
    set(TABLE, 'TableName', { 'Fn::ImportValue': 'FraudScreening-Models:Nothing' }),
  ],
  'name-taken-once': [
    add(ALARM, (p) => p),
    add(`${API}::GatewayResponse`, (p) => p),
    add(`${CLOUDWATCH}::CompositeAlarm`, (p) => p, ALARM),
  ],
  'table-attributes': [
    change(TABLE, (p) => p.AttributeDefinitions.pop()),
    change(TABLE, (p) => p.AttributeDefinitions.push({ AttributeName: 'x', AttributeType: 'S' })),
    change(TABLE, (p) => put(p.GlobalSecondaryIndexes[0], ['Projection', 'NonKeyAttributes'], Array(101).fill('x'))),
  ],
  'table-capacity': [
    set(TABLE, 'BillingMode', 'PROVISIONED'),
    both(
      provisioned({ MinCapacity: 1, MaxCapacity: 5, SeedCapacity: 1 }),
      set(TABLE, 'BillingMode', 'PAY_PER_REQUEST'),
    ),
    provisioned({ MinCapacity: 1, MaxCapacity: 5 }),
    provisioned({ MinCapacity: 9, MaxCapacity: 5, SeedCapacity: 5 }),
  ],
  'table-replicas': [change(TABLE, (p) => p.Replicas.push(p.Replicas[0]))],
  'distribution-certificate': [
    both(
      set(`${CDN}::Distribution`, 'DistributionConfig.Aliases', ['console.example.com']),
      set(`${CDN}::Distribution`, 'DistributionConfig.ViewerCertificate', {}),
    ),
    set(`${CDN}::Distribution`, 'DistributionConfig.ViewerCertificate', {
      AcmCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
    }),
  ],
  'distribution-origins': [change(`${CDN}::Distribution`, (p) => p.DistributionConfig.Origins.pop())],
  'distribution-errors': [
    change(`${CDN}::Distribution`, (p) => put(p.DistributionConfig.CustomErrorResponses[0], ['ResponseCode'], 200)),
  ],
  'headers-policy': [
    set(`${CDN}::ResponseHeadersPolicy`, 'ResponseHeadersPolicyConfig.CustomHeadersConfig.Items', [
      { Header: 'X-Frame-Options' },
    ]),
  ],
  'method-settings': [
    { HttpMethod: 'ANY', ResourcePath: '/~1docs' },
    { HttpMethod: 'GET', ResourcePath: '/*' },
    { HttpMethod: '*', ResourcePath: '/~1docs' },
    { HttpMethod: 'GET', ResourcePath: '/~1nowhere' },
  ].map((setting) => set(`${API}::Stage`, 'MethodSettings', [setting])),
  'deployment-after-methods': [set(`${API}::Deployment`, '^DependsOn', [])],
  'stage-after-logging-role': [set(`${API}::Stage`, '^DependsOn', [])],
  'stage-exists': [set(`${API}::UsagePlan`, 'ApiStages', [{ Stage: 'sandbox' }])],
  'path-part': [
    add(`${API}::Resource`, (p) => ({ ...p, PathPart: '{other}' }), `${API}::Resource`, isVariable),
    set(`${API}::Resource`, 'PathPart', 'a b'),
  ],
  'greedy-path-is-last': [
    both(
      add(`${API}::Resource`, (p, id) => ({ ...p, PathPart: 'below', ParentId: { Ref: id } })),
      set(`${API}::Resource`, 'PathPart', '{all+}'),
    ),
  ],
  'method-authorizer': [
    unset(`${API}::Method`, 'AuthorizerId', (p) => p.AuthorizationType === 'CUSTOM'),
    set(`${API}::Method`, 'AuthorizationType', 'NONE', (p) => p.AuthorizerId),
  ],
  'authorizer-identity': [
    set(`${API}::Authorizer`, 'IdentitySource', '', isToken),
    set(`${API}::Authorizer`, 'Type', 'REQUEST', isToken),
  ],
  'integration-response-declared': [
    set(`${API}::Method`, 'MethodResponses', [], answers),
    change(
      `${API}::Method`,
      (p) => put(p.MethodResponses[0], ['ResponseParameters'], {}),
      (p) => p.MethodResponses?.[0].ResponseParameters,
    ),
  ],
  'custom-domain-certificate': [
    add(
      `${API}::DomainName`,
      () => ({ DomainName: 'a.example', EndpointConfiguration: { Types: ['REGIONAL'] } }),
      TABLE,
    ),
  ],
  'environment-size': [set(`${LAMBDA}::Function`, 'Environment.Variables.LARGE', 'x'.repeat(4_096))],
  'reserved-environment': [
    set(`${LAMBDA}::Function`, 'Environment.Variables.AWS_REGION', 'eu-central-1'),
    set(`${LAMBDA}::Function`, 'Environment.Variables._x', ''),
  ],
  'log-levels-need-json': [
    set(`${LAMBDA}::Function`, 'LoggingConfig.LogFormat', 'Text', (p) => p.LoggingConfig?.SystemLogLevel),
  ],
  'role-policy-before-mapping': [
    both(
      each(`${LAMBDA}::Function`, (resource) => Reflect.deleteProperty(resource, 'DependsOn')),
      each('AWS::IAM::Role', ({ Properties }) => put(Properties, ['Policies'], [])),
    ),
    both(
      each('AWS::IAM::Policy', ({ Properties }) => put(Properties, ['PolicyDocument', 'Statement'], [statement])),
      each('AWS::IAM::Role', ({ Properties }) => put(Properties, ['Policies'], [])),
    ),
  ],
  'queue-visibility': [set(QUEUE, 'VisibilityTimeout', 2, (p) => p.RedrivePolicy)],
  'queue-batch': [set(MAPPING, 'BatchSize', 100, ofQueue), set(MAPPING, 'ParallelizationFactor', 2, ofQueue)],
  'stream-mapping': [
    unset(TABLE, 'StreamSpecification'),
    set(MAPPING, 'ScalingConfig.MaximumConcurrency', 5, ofStream),
  ],
  'two-readers-per-stream': [add(MAPPING, (p) => ({ ...p, FunctionName: 'third' }), MAPPING, ofStream)],
  'filter-pattern': ['{"eventName":"INSERT"}', '{"eventName":[]}', '{'].map((Pattern) =>
    set(MAPPING, 'FilterCriteria.Filters', [{ Pattern }], ofStream),
  ),
  'permission-policy-size': [
    times(
      100,
      add(`${LAMBDA}::Permission`, (p) => p),
    ),
  ],
  'schedule-may-invoke': [
    each(`${LAMBDA}::Permission`, ({ Properties }) => put(Properties, ['Principal'], 'apigateway.amazonaws.com')),
  ],
  'function-url-permissions': [
    add(`${LAMBDA}::Url`, (_, id) => ({ AuthType: 'NONE', TargetFunctionArn: { Ref: id } }), `${LAMBDA}::Function`),
  ],
  'alias-deployment': [
    set(`${LAMBDA}::Alias`, '^UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName', 'somewhere'),
  ],
  'inline-policies-size': [set('AWS::IAM::Role', 'Policies', [inline(...Array(200).fill(statement))])],
  'key-stays-manageable': [change('AWS::KMS::Key', (p) => p.KeyPolicy.Statement.shift())],
  'alarms-reach-encrypted-topics': [change('AWS::KMS::Key', (p) => p.KeyPolicy.Statement.pop())],
  'bucket-blocks-public-policy': [
    change('AWS::S3::BucketPolicy', (p) => p.PolicyDocument.Statement.push({ ...statement, Principal: '*' })),
  ],
  'queue-encryption': [set(QUEUE, 'KmsMasterKeyId', 'alias/aws/sqs')],
  'dead-letter-queue': [
    set(QUEUE, 'FifoQueue', true, (p) => p.RedrivePolicy),
    both(set(QUEUE, 'FifoQueue', true), set(QUEUE, 'QueueName', 'plain')),
  ],
  'secret-template': [
    change('AWS::SecretsManager::Secret', (p) => Reflect.deleteProperty(p.GenerateSecretString, 'GenerateStringKey')),
  ],
  'alarm-periods': [
    set(ALARM, 'Period', 90, (p) => p.Period),
    set(ALARM, 'EvaluationPeriods', 20_000),
    set(ALARM, 'Metrics', [{ Id: 'a', Period: 45 }]),
  ],
  'alarm-datapoints': [both(set(ALARM, 'DatapointsToAlarm', 3), set(ALARM, 'EvaluationPeriods', 2))],
  'alarm-metrics': [
    set(
      ALARM,
      'Metrics',
      Array.from({ length: 11 }, (_, n) => ({ Id: `m${n}`, MetricStat: { Period: 60 }, ReturnData: n === 0 })),
    ),
  ],
  'alarm-expression': [
    change(ALARM, (p) => put(expression(p), ['Expression'], 'nothing * 2'), isMath),
    change(ALARM, (p) => put(expression(p), ['Expression'], "SUM(SEARCH('{A} B', 'Sum', 60))"), isMath),
    change(ALARM, (p) => put(expression(p), ['Id'], 'Errors'), isMath),
    change(ALARM, (p) => put(expression(p), ['ReturnData'], false), isMath),
  ],
  'composite-children': ['ALARM("fraud-screening-elsewhere")', Array(101).fill('ALARM(a)').join(' OR ')].map((rule) =>
    set(`${CLOUDWATCH}::CompositeAlarm`, 'AlarmRule', rule),
  ),
  'dashboard-body': [
    set(`${CLOUDWATCH}::Dashboard`, 'DashboardName', 'Fraud screening'),
    ...[
      '{"widgets":',
      { widgets: [{ x: 20, width: 6 }] },
      { widgets: Array(501).fill({}) },
      { widgets: [{ properties: { metrics: Array(501).fill('x') } }] },
    ].map((body) =>
      set(`${CLOUDWATCH}::Dashboard`, 'DashboardBody', typeof body === 'string' ? body : JSON.stringify(body)),
    ),
  ],
  'log-group': [
    set('AWS::Logs::LogGroup', 'RetentionInDays', 31),
    set('AWS::Logs::LogGroup', 'LogGroupName', 'fraud screening'),
  ],
  'deployment-alarms-exist': [
    set('AWS::CodeDeploy::DeploymentGroup', 'AlarmConfiguration.Alarms', [{ Name: 'later' }]),
  ],
  'schedule-expression': ['rate(1 minutes)', 'rate(5 minute)', 'cron(0 2 * * *)', 'cron(0 2 * * * *)'].map((text) =>
    set('AWS::Events::Rule', 'ScheduleExpression', text),
  ),
  'slack-channel': [
    { ConfigurationName: 'a b', SlackWorkspaceId: 'T1', SlackChannelId: 'C1' },
    { ConfigurationName: 'a', SlackWorkspaceId: 'acme', SlackChannelId: '#alarms' },
  ].map((properties) => add('AWS::Chatbot::SlackChannelConfiguration', () => properties, TABLE)),
};

/** Changes that make a policy document malformed, whichever resource has it. */
const MALFORMED: ReadonlyArray<readonly [string, Value]> = [
  ['Version', '2008-10-17'],
  ['Statement', []],
  ['Statement[].Action', 'Everything'],
  ['Statement[].Action', []],
];
const DOCUMENT: Readonly<Record<string, string>> = {
  'AWS::IAM::Role': 'AssumeRolePolicyDocument',
  'AWS::KMS::Key': 'KeyPolicy',
};

const beyond = ({ of, min, max }: Limit): readonly Value[] => {
  if (of === 'value') return [min - 1, max + 1];
  return of === 'entries' ? [Array(max + 1).fill('x')] : ['x'.repeat(max + 1)];
};

const mutated = (mutation: Mutation): SynthesizedApp => {
  const templates = structuredClone(real);
  mutation(templates);
  return new SynthesizedApp(templates);
};
const ruleOf = (name: string) => TEMPLATE_RULES.find((rule) => rule.name === name);

describe('template rules', () => {
  it('have nothing to say about our own templates', () => {
    const findings = findingsIn(real);
    expect(findings.map(({ rule, stack, id, says }) => `${rule.name}: ${stack}/${id} ${says}`)).toEqual([]);
  });

  it('each have a name, a public source and a change that they refuse', () => {
    expect(new Set(TEMPLATE_RULES.map(({ name }) => name)).size).toBe(TEMPLATE_RULES.length);
    for (const { source } of [...TEMPLATE_RULES, ...updateRules]) expect(source).toMatch(/^https:\/\//);
    const names = TEMPLATE_RULES.map(({ name }) => name).filter((name) => !name.includes('AWS::'));
    expect(names.sort()).toEqual(Object.keys(MUTATIONS).sort());
  });

  it.each(Object.entries(MUTATIONS))('%s refuses what AWS refuses', (name, mutations) => {
    for (const [index, mutation] of mutations.entries()) {
      const findings = ruleOf(name)?.check(mutated(mutation)) ?? [];
      expect([index, findings.length]).not.toEqual([index, 0]);
      for (const { says } of findings) expect(says).toMatch(/ .*[.?:]/);
    }
  });

  it.each(TEMPLATE_RULES.filter(({ name }) => name.startsWith('policy-document ')))(
    '$name refuses malformed documents',
    (rule) => {
      const type = rule.name.split(' ')[1] ?? '';
      // Which of them our own templates have may change.
      const made = /^AWS::IAM::(?:Managed)?Policy$/.test(type)
        ? add(type, () => inline({ ...statement }), TABLE)
        : both();
      for (const [path, value] of MALFORMED) {
        const broken = set(type, `${DOCUMENT[type] ?? 'PolicyDocument'}.${path}`, value);
        expect(rule.check(mutated(both(made, broken))).length).toBeGreaterThan(0);
      }
    },
  );

  it('of policies see those within a role', () => {
    const app = mutated(set('AWS::IAM::Role', 'Policies', [inline({ ...statement, Action: [] })]));
    expect(ruleOf('policy-document AWS::IAM::Role')?.check(app)).toHaveLength(1);
  });

  it('of limits refuse what is beyond them on either side', () => {
    for (const limit of LIMITS) {
      for (const value of beyond(limit)) {
        const Properties = {};
        put(Properties, limit.path.split('.'), value);
        const app = new SynthesizedApp({ Only: { Resources: { Mutant: { Type: limit.type, Properties } } } });
        expect([limit, ruleOf(`${limit.type} ${limit.path}`)?.check(app).length]).toEqual([limit, 1]);
      }
    }
  });

  it('follow references into another stack', () => {
    const templates = {
      Data: {
        Resources: { Queue: { Type: QUEUE, Properties: {} } },
        Outputs: { Out: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] }, Export: { Name: 'Data:Queue' } } },
      },
      Other: {
        Resources: {
          Reader: {
            Type: MAPPING,
            Properties: { EventSourceArn: { 'Fn::ImportValue': 'Data:Queue' }, BatchSize: 100 },
          },
        },
      },
    };
    expect(ruleOf('queue-batch')?.check(new SynthesizedApp(templates))).toHaveLength(1);
  });

  it('pass a synthesis of ours as a plugin of CDK', () => {
    const report = new TemplateRules().validate({ templatePaths: paths } as never);
    expect([report.success, report.violations]).toEqual([true, []]);
  });
});

describe('update rules', () => {
  const deployed = new SynthesizedApp(real);
  const moved =
    (type: string, properties: (p: Value) => Value, where?: Where): Mutation =>
    (t) => {
      const { stack, id, resource } = first(t, type, where);
      delete t[stack].Resources[id];
      t[stack].Resources.Moved = { ...resource, Properties: properties(resource.Properties) };
    };

  it('have nothing to say about an update that changes nothing', () => {
    for (const rule of updateRules) expect([rule.name, rule.check(deployed, deployed)]).toEqual([rule.name, []]);
  });

  it.each<[string, Mutation]>([
    ['deployment-follows-api', set(`${API}::Authorizer`, 'IdentityValidationExpression', 'Bearer .*')],
    ['one-index-per-update', change(TABLE, (p) => p.GlobalSecondaryIndexes.splice(0, 2))],
    [
      'index-stays-as-it-is',
      change(TABLE, (p) => put(p.GlobalSecondaryIndexes[0], ['Projection'], { ProjectionType: 'ALL' })),
    ],
    ['replacement-collides', set(MAPPING, 'StartingPosition', 'LATEST', ofStream)],
    ['name-is-free', moved(ALARM, (p) => p)],
    ['path-parameter-keeps-its-name', moved(`${API}::Resource`, (p) => ({ ...p, PathPart: '{renamed}' }), isVariable)],
  ])('%s refuses it', (name, mutation) => {
    expect(updateRules.find((rule) => rule.name === name)?.check(deployed, mutated(mutation))).toHaveLength(1);
  });
});
