import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inventoryOf } from '../../bench/cost/stack-inventory';
import { COST_PAGE, idleDollars, idleSection } from '../../docs/generated/sections';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';
import { joinStacks, readStackTemplates, type StackTemplates, type Template } from '../../lib/stack-templates';
import { REPLACING, STATEFUL, templateChanges } from '../../lib/template-changes';
import { withSections } from '../../shared/cli/text-table';
import { patient } from '../support/patience';
import {
  ofType,
  outputsOf,
  type Properties,
  type Resource,
  resourcesOf,
  statementsOfRole,
  templateOf,
} from '../support/template';
import oneStack from './fixtures/one-stack.json';

const ROOT = join(__dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'synth-matrix-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Synthesized {
  readonly template: Properties;
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, { readonly Value: Properties }>>;
}

/** The sandbox as one set of options makes it. */
function synthesized(name: keyof typeof MATRIX): Synthesized {
  const assembly = join(directory, name);
  return {
    template: templateOf('FraudScreening-sandbox', assembly),
    resources: resourcesOf('FraudScreening-sandbox', assembly),
    outputs: outputsOf('FraudScreening-sandbox', assembly),
  };
}

const BUS = 'arn:aws:events:eu-central-1:210987654321:event-bus/orders';
const HERE = { account: '123456789012', region: 'eu-central-1' };
const DOMAINS = {
  sandboxDomain: 'api.example.com',
  sandboxCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
  sandboxConsoleDomain: 'console.example.com',
  sandboxConsoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/b',
  productionDomain: 'pay.example.com',
  productionCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/c',
  productionConsoleDomain: 'desk.example.com',
  productionConsoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/d',
};

const SIGN_IN = {
  oidcIssuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1',
  oidcClientId: '4h57k',
  oidcOrigins: 'https://acme.auth.eu-central-1.amazoncognito.com',
  oidcRoleClaim: 'https://example.com/role',
  oidcScope: 'openid email',
};

/** Several options in one synthesis where they have nothing to do with each other: each takes seconds. */
const MATRIX = {
  own: {
    '@aws-cdk/core:bootstrapQualifier': 'acme1',
    ...DOMAINS,
    alarmEmail: 'night@example.com',
    ticketEmail: 'day@example.com',
    accountDailyQuota: '100000',
    eventBus: BUS,
    warehouse: 'on',
    warehouseDays: '365',
  },
  here: { ...HERE, alarmSlack: 'T0123ABCD/C0456EFGH', ...SIGN_IN },
  elsewhere: { ...HERE, region: 'us-east-1', alarmSlack: 'T0123ABCD/C0456EFGH' },
  bare: { console: 'off', canary: 'off', provisionedFor: '2' },
  unwatched: { alarms: 'off', verifyReceiver: 'on' },
};

// Through both rule packs: whatever they find fails the synthesis. In a separate process, because all of it takes
// three times as long inside jest's sandbox.
beforeAll(async () => {
  const orders = Object.entries(MATRIX).map(([name, context]) => ({ outdir: join(directory, name), context }));
  const script = join(ROOT, 'test/support/synthesize-matrix.ts');
  // CloudFormation's own checks of the template have passed for the default options, and take seconds each.
  const env = { ...process.env, CDK_VALIDATION: 'false' };
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, JSON.stringify(orders)], { cwd: ROOT, env });
}, patient(90_000));

/** Resources of which AWS keeps one list for all regions of an account. */
function globalNames({ resources }: Synthesized): string[] {
  const named: Readonly<Record<string, (properties: Properties) => unknown>> = {
    'AWS::CloudFront::ResponseHeadersPolicy': (of) => of.ResponseHeadersPolicyConfig.Name,
    'AWS::CloudFront::OriginAccessControl': (of) => of.OriginAccessControlConfig.Name,
    'AWS::CloudFront::CachePolicy': (of) => of.CachePolicyConfig.Name,
    'AWS::CloudFront::OriginRequestPolicy': (of) => of.OriginRequestPolicyConfig.Name,
    'AWS::CloudFront::Function': (of) => of.Name,
    'AWS::CloudWatch::Dashboard': (of) => of.DashboardName,
    'AWS::IAM::Role': (of) => of.RoleName,
    'AWS::IAM::ManagedPolicy': (of) => of.ManagedPolicyName,
    'AWS::S3::Bucket': (of) => of.BucketName,
    'AWS::Chatbot::SlackChannelConfiguration': (of) => of.ConfigurationName,
  };
  return resources.flatMap(({ Type, Properties: properties }) => {
    const name = named[Type]?.(properties);
    return name === undefined ? [] : [`${Type} ${JSON.stringify(name)}`];
  });
}

/** Whether CloudFormation takes a value for the options that a stack keeps, by the rule in its template. */
function takesOptions({ template }: Synthesized, value: string): boolean {
  const [{ Assert }] = template.Rules.OptionsAreKept.Assertions;
  const [left, right] = Assert['Fn::Equals'].map((side: Properties) => (side.Ref === 'KeptOptions' ? value : side));
  return left === right;
}

/**
 * Production as it was when a stage was one stack, with the options of `own`: what somebody would miss and what has a fixed
 * name, with the properties whose change replaces it.
 */
const ONE_STACK = { 'FraudScreening-production': oneStack as unknown as Template };

describe('from one stack to several', () => {
  const several = () => readStackTemplates(join(directory, 'own'), 'FraudScreening-production');

  it('nothing that somebody would miss is replaced, deleted or moved', () => {
    const lost = templateChanges(ONE_STACK, several()).filter(
      ({ isStateful, kind }) => isStateful && kind !== 'changed' && kind !== 'added',
    );
    expect(lost).toEqual([]);
    const missed = Object.values(oneStack.Resources).filter(({ Type }) => STATEFUL.has(Type));
    // Every kind but one that is made by people outside of the template.
    expect(new Set(missed.map(({ Type }) => Type))).toEqual(STATEFUL);
  });

  it('tells of a change that would lose something', () => {
    const [[path, stage]] = Object.entries(several()) as [[string, Template]];
    const { DataTableFDBAD0F2: table, ApiRestApiE35FEAFE: api, ...rest } = stage.Resources ?? {};
    const mutated = {
      ...several(),
      [path]: { ...stage, Resources: { ...rest, DataTableFDBAD0F2: { ...table, Properties: { KeySchema: [] } } } },
    } as StackTemplates;
    const told = templateChanges(ONE_STACK, mutated).filter(({ kind }) => kind === 'replaced' || kind === 'deleted');
    expect(api).toBeDefined();
    expect(told.map(({ kind, logicalId }) => `${kind} ${logicalId}`)).toEqual(
      expect.arrayContaining(['replaced DataTableFDBAD0F2', 'deleted ApiRestApiE35FEAFE']),
    );
  });

  it('no name is held twice while the update is under way', () => {
    const NAMES = ['AlarmName', 'DashboardName', 'LogGroupName', 'RoleName', 'QueueName', 'TopicName', 'FunctionName'];
    const namesOf = (templates: StackTemplates): string[] =>
      Object.entries(joinStacks(templates, (path, id) => `${path}/${id}`).Resources ?? {}).flatMap(([at, each]) =>
        NAMES.flatMap((name) => {
          const value = each.Properties?.[name];
          return typeof value === 'string' ? [`${each.Type} ${value} ${at}`] : [];
        }),
      );
    const before = namesOf(ONE_STACK);
    const held = new Set(before.map((each) => each.split(' ').slice(0, 2).join(' ')));
    const moved = namesOf(several()).filter((each) => !before.includes(each));
    expect(before.length).toBeGreaterThan(50);
    expect(moved.filter((each) => held.has(each.split(' ').slice(0, 2).join(' ')))).toEqual([]);
  });

  it('with every option on, no stack has more than 400 resources, and every type is known', () => {
    for (const template of Object.values(several())) {
      expect(Object.keys(template.Resources ?? {}).length).toBeLessThanOrEqual(400);
      const types = Object.values(template.Resources ?? {}).map(({ Type }) => Type);
      expect(types.filter((type) => !(type in REPLACING))).toEqual([]);
    }
  });

  it('an authorizer that changes makes a new deployment of the API', () => {
    const deploymentOf = (name: keyof typeof MATRIX) =>
      ofType(synthesized(name).resources, 'AWS::ApiGateway::Deployment').map(({ id }) => id);
    expect(deploymentOf('here')).not.toEqual(deploymentOf('elsewhere'));
  });
});

describe('the synth matrix', () => {
  it('keeps the options of a deployment with the stack, and a plain cdk deploy with others is refused', () => {
    const [own, bare] = [synthesized('own'), synthesized('bare')];
    const { Value: kept } = own.outputs.DeploymentOptions ?? {};
    const ofSandbox = Object.entries(MATRIX.own).filter(([name]) => !name.startsWith('production'));
    expect(JSON.parse(kept)).toEqual(Object.fromEntries(ofSandbox));
    // Without a canary is a matter of one deployment.
    expect(JSON.parse(bare.outputs.DeploymentOptions?.Value)).toEqual({ console: 'off', provisionedFor: '2' });
    expect(own.template.Parameters.KeptOptions.Default).toBe(kept);
    expect(takesOptions(own, kept)).toBe(true);
    // As the CDK command line would: the values of parameters are repeated, the options are not.
    expect(takesOptions(bare, kept)).toBe(false);
  });

  it('capacity by the hour: of the table and of each index, with a pace for what reads in bulk', () => {
    const { resources } = synthesized('bare');
    const [{ Properties: table }] = ofType(resources, 'AWS::DynamoDB::GlobalTable') as [Resource];
    const scaled = (from: number, first: number, to: number) => ({
      WriteCapacityAutoScalingSettings: {
        ...{ MinCapacity: from, SeedCapacity: first, MaxCapacity: to },
        TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
      },
    });
    expect(table).toMatchObject({
      BillingMode: 'PROVISIONED',
      WriteProvisionedThroughputSettings: scaled(10, 40, 30_000),
      GlobalSecondaryIndexes: [
        { IndexName: 'due', WriteProvisionedThroughputSettings: scaled(2, 2, 5_000) },
        { IndexName: 'history', WriteProvisionedThroughputSettings: scaled(2, 4, 5_000) },
      ],
      Replicas: [
        {
          ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: { MinCapacity: 60, SeedCapacity: 60 } },
          GlobalSecondaryIndexes: [{ ReadProvisionedThroughputSettings: { ReadCapacityUnits: 6 } }, {}],
        },
      ],
    });
    const { provisioned, erasingMemoryGb } = inventoryOf(resources);
    expect({ ...provisioned, erasingMemoryGb }).toEqual({
      ...{ leastWriteUnits: 14, leastReadUnits: 60, indexReadUnits: 12, alarmMetrics: 16 },
      ...{ bulkReadsPerSecond: 90, erasingMemoryGb: 0.5 },
    });
    const paced = ofType(resources, 'AWS::Lambda::Function').filter(
      ({ Properties: p }) => p.Environment?.Variables?.READ_UNITS_PER_SECOND === '90',
    );
    expect(paced.map(({ Properties: p }) => String(p.Description).split(': ')[1]).sort()).toEqual([
      'erase-users',
      'train-model',
    ]);
    expect(inventoryOf(synthesized('own').resources).provisioned).toBeUndefined();
  });

  it('a bootstrap qualifier of the platform’s own', async () => {
    const { resources } = synthesized('own');
    const code = JSON.stringify(ofType(resources, 'AWS::Lambda::Function').map(({ Properties: p }) => p.Code));
    expect(code).toContain('cdk-acme1-assets');
    expect(code).not.toContain('hnb659fds');
  });

  it('domains of the platform’s own: outputs say where they must point', async () => {
    const { outputs } = synthesized('own');
    expect(Object.keys(outputs)).toEqual(
      expect.arrayContaining(['ApiDomainTarget', 'ApiDomainTargetZone', 'ConsoleDomainTarget']),
    );
    expect(outputs.ConsoleUrl?.Value).toBe('https://console.example.com/');
  });

  it('two regions of one account, named explicitly: no name is taken twice', async () => {
    const [one, other] = [synthesized('here'), synthesized('elsewhere')];
    const names = globalNames(one);
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(names.filter((name) => globalNames(other).includes(name))).toEqual([]);
    const origins = JSON.stringify(ofType(one.resources, 'AWS::CloudFront::Distribution'));
    expect(origins).toContain('eu-central-1');
  });

  it('signing in by OpenID Connect: the authorizer and the page know whom with, and nothing else reaches out', () => {
    const [on, off] = [synthesized('here'), synthesized('elsewhere')];
    const settingsOf = ({ resources }: Synthesized) =>
      ofType(resources, 'AWS::Lambda::Function').flatMap(({ Properties: p }) => {
        const given = p.Environment?.Variables?.SIGN_IN;
        return given ? [[p.Description.split(': ')[1], JSON.parse(given)]] : [];
      });
    expect(settingsOf(off)).toEqual([]);
    expect(settingsOf(on)).toEqual([
      [
        'authorize',
        {
          issuer: SIGN_IN.oidcIssuer,
          clientId: '4h57k',
          audience: '4h57k',
          roleClaim: 'https://example.com/role',
          accountClaim: 'fraud_screening_account',
        },
      ],
    ]);
    const connectSrc = ({ resources }: Synthesized) =>
      /connect-src ([^;]+);/.exec(JSON.stringify(ofType(resources, 'AWS::CloudFront::ResponseHeadersPolicy')))?.[1];
    expect(connectSrc(off)).toBe("'self'");
    expect(connectSrc(on)).toBe(
      "'self' https://cognito-idp.eu-central-1.amazonaws.com https://acme.auth.eu-central-1.amazoncognito.com",
    );
    // The gateway lets signed tokens through to the authorizer, and never one without a signature.
    const expressionOf = ({ resources }: Synthesized) =>
      new RegExp(
        ofType(resources, 'AWS::ApiGateway::Authorizer').flatMap(
          ({ Properties: p }) => p.IdentityValidationExpression ?? [],
        )[0],
      );
    const key = `Bearer sk_test_${'a'.repeat(38)}`;
    const sent = [key, 'Bearer eyJh.eyJp.c2ln', 'Bearer eyJh.eyJp.', 'Bearer eyJh', `${key}.eyJp`];
    expect(sent.map((header) => expressionOf(on).test(header))).toEqual([true, true, false, false, false]);
    expect(sent.map((header) => expressionOf(off).test(header))).toEqual([true, false, false, false, false]);
    expect(on.resources.length).toBe(off.resources.length);
  });

  it('no console: nothing of CloudFront, no bucket, no upload', async () => {
    const { resources, outputs } = synthesized('bare');
    const kinds = new Set(resources.map(({ Type }) => Type));
    expect([...kinds].filter((type) => /CloudFront|S3::|Custom::/.test(type))).toEqual([]);
    expect(outputs).not.toHaveProperty('ConsoleUrl');
    expect(outputs).toHaveProperty('ApiUrl');
  });

  it('no alarms: neither topics nor keys, and deployments that wait for none', async () => {
    const { resources, outputs } = synthesized('unwatched');
    const kinds = new Set(resources.map(({ Type }) => Type));
    expect([...kinds].filter((type) => /Alarm$|SNS|KMS/.test(type))).toEqual([]);
    expect(kinds.has('AWS::CloudWatch::Dashboard')).toBe(true);
    expect(Object.keys(outputs).filter((name) => /Alarm|Topic/.test(name))).toEqual([]);
    for (const { Properties: group } of ofType(resources, 'AWS::CodeDeploy::DeploymentGroup')) {
      expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    }
  });

  it('essential monitoring, the default of sandbox: four alarms on metrics that cost nothing, no key, less than a dollar', () => {
    const { resources, outputs } = synthesized('elsewhere');
    expect(outputs.MonitoringLevel?.Value).toBe('essential');
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(({ Properties: p }) => p);
    expect(alarms.map(({ AlarmName }) => AlarmName.replace('fraud-screening-sandbox-', '')).sort()).toEqual([
      'availability-fast-burn',
      'dead-letters',
      'relay-behind',
      'webhooks-late',
    ]);
    for (const { Namespace, AlarmActions } of alarms)
      expect([Namespace.slice(0, 4), AlarmActions]).toEqual(['AWS/', [expect.anything()]]);
    expect(resources.filter(({ Type }) => /KMS|Composite/.test(Type))).toEqual([]);
    const groups = ofType(resources, 'AWS::CodeDeploy::DeploymentGroup');
    // A canary still goes back when requests fail.
    for (const { Properties: group } of groups) expect(group.AlarmConfiguration.Alarms).toHaveLength(1);

    const page = readFileSync(join(ROOT, COST_PAGE), 'utf8');
    expect(withSections(page, idleSection('sandbox', resources))).toBe(page);
    expect(idleDollars(resources)).toBeLessThanOrEqual(1);
  });

  it('no canary: a fix is live at once, whatever the alarms say', async () => {
    const { resources } = synthesized('bare');
    const groups = ofType(resources, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups.length).toBeGreaterThan(10);
    for (const { Properties: group } of groups) {
      expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
      expect(group.AlarmConfiguration.Enabled).toBe(false);
      expect(group.AutoRollbackConfiguration.Events).not.toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  it('recipients of alarms: pages and tickets apart, and said at the end of a deployment', async () => {
    const { resources, outputs } = synthesized('own');
    const subscribed = ofType(resources, 'AWS::SNS::Subscription').map(({ Properties: p }) => [
      p.Endpoint,
      p.TopicArn.Ref,
    ]);
    expect(subscribed).toEqual([
      ['night@example.com', expect.stringContaining('Pages')],
      ['day@example.com', expect.stringContaining('Tickets')],
    ]);
    expect(outputs.AlarmRecipients?.Value).toBe('pages: night@example.com, tickets: day@example.com');
    expect(JSON.stringify(ofType(resources, 'AWS::CloudWatch::Dashboard'))).not.toContain('NOBODY');
  });

  it('a bus for events: only what relays may put events, on this bus alone', () => {
    const statements = ({ resources }: Synthesized) =>
      ofType(resources, 'AWS::IAM::Role').flatMap(({ id }) =>
        statementsOfRole(resources, id)
          .filter(({ Action }) => JSON.stringify(Action).includes('events:'))
          .map((statement) => ({ ...statement, role: id })),
      );
    const variables = ({ resources }: Synthesized) =>
      ofType(resources, 'AWS::Lambda::Function').flatMap(
        ({ Properties: { Environment } }) => Environment?.Variables?.EVENT_BUS_ARN ?? [],
      );
    const granted = statements(synthesized('own'));
    expect(granted.map(({ role: _, ...statement }) => statement)).toEqual([
      { Action: 'events:PutEvents', Effect: 'Allow', Resource: BUS },
      { Action: 'events:PutEvents', Effect: 'Allow', Resource: BUS },
    ]);
    for (const name of ['RelayEvents', 'SweepDeliveries'])
      expect(granted.filter(({ role }) => role.includes(name))).toHaveLength(1);
    expect(variables(synthesized('own'))).toEqual([BUS, BUS]);
    expect(statements(synthesized('bare'))).toEqual([]);
    expect(variables(synthesized('bare'))).toEqual([]);
  });

  it('a warehouse: what relays may send to its three streams, files end after their days, and off means absent', () => {
    const kinds = /^AWS::(?:KinesisFirehose|Glue|Athena)::/;
    const counts = ({ resources }: Synthesized) => {
      const types = resources.map(({ Type }) => Type).filter((type) => kinds.test(type));
      return Object.fromEntries(
        [...new Set(types)].map((type) => [type, types.filter((each) => each === type).length]),
      );
    };
    const own = synthesized('own');
    expect(counts(own)).toEqual({
      'AWS::Glue::Database': 1,
      'AWS::Glue::Table': 7,
      'AWS::KinesisFirehose::DeliveryStream': 3,
      'AWS::Athena::WorkGroup': 1,
      'AWS::Athena::NamedQuery': 6,
    });
    const senders = ofType(own.resources, 'AWS::IAM::Role').flatMap(({ id }) =>
      statementsOfRole(own.resources, id)
        .filter(({ Action }) => JSON.stringify(Action).includes('firehose:'))
        .map(({ Action, Resource }) => [/RelayEvents|SweepDeliveries/.exec(id)?.[0], Action, Resource.length]),
    );
    expect(senders.sort()).toEqual([
      ['RelayEvents', 'firehose:PutRecordBatch', 3],
      ['SweepDeliveries', 'firehose:PutRecordBatch', 3],
    ]);
    const filters = ofType(own.resources, 'AWS::Lambda::EventSourceMapping').map(
      ({ Properties: { FilterCriteria } }) => FilterCriteria?.Filters?.length ?? 0,
    );
    expect(Math.max(...filters)).toBeLessThanOrEqual(5);
    const rules = ofType(own.resources, 'AWS::S3::Bucket').flatMap(
      ({ Properties: { LifecycleConfiguration } }) => LifecycleConfiguration?.Rules ?? [],
    );
    expect(rules.filter(({ ExpirationInDays }) => ExpirationInDays === 365)).toHaveLength(3);
    const alarms = ofType(own.resources, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties.AlarmName);
    const ofWarehouse = ['refused', 'late'].map((what) => `fraud-screening-sandbox-warehouse-${what}`);
    expect(alarms).toEqual(expect.arrayContaining(ofWarehouse));
    expect(counts(synthesized('bare'))).toEqual({});
  });

  it('a daily quota of each account', async () => {
    const { resources } = synthesized('own');
    const [plan] = ofType(resources, 'AWS::ApiGateway::UsagePlan');
    expect(plan?.Properties.Quota).toEqual({ Limit: 100_000, Period: 'DAY' });
  });

  it.each([
    [{ console: 'no' }, 'give on or off'],
    [{ monitoring: 'some' }, 'give essential or full'],
    [{ canary: 'false' }, 'give on or off'],
    [{ region: 'eu-central-1' }, 'needs both'],
    [{ accountDailyQuota: 'many' }, 'not a whole number'],
    [{ alarmSlack: '#alarms' }, 'not a channel'],
    [{ eventBus: 'orders' }, 'not the ARN of an event bus'],
    [{ sandboxDomain: 'api.example.com' }, 'CertificateArn'],
    [{ oidcIssuer: 'https://login.example.com' }, 'needs both'],
    [{ oidcIssuer: 'http://login.example.com', oidcClientId: 'x' }, 'https address'],
    [{ oidcIssuer: 'https://login.example.com?a=b', oidcClientId: 'x' }, 'https address'],
    [
      { oidcIssuer: 'https://a.example', oidcClientId: 'x', oidcOrigins: "https://b.example 'unsafe-eval'" },
      'an origin',
    ],
    [{ oidcIssuer: 'https://a.example', oidcClientId: '"><x' }, 'not the name'],
    [{ oidcIssuer: 'https://a.example', oidcClientId: 'x', oidcScope: 'openid  email' }, 'list of scopes'],
  ])('%j is refused with one sentence', (context, sentence) => {
    expect(() => fraudScreeningApp({ context: context as unknown as Record<string, string> })).toThrow(sentence);
  });
});
