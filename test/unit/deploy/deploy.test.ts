import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { deploy } from '../../../bin/deploy/deploy';
import { type Deployment, deploymentSteps, readDeployment } from '../../../bin/deploy/deployment-steps';
import { joinStacks, type StackTemplates } from '../../../lib/stack-templates';
import { REPLACING, STATEFUL, templateChanges } from '../../../lib/template-changes';

describe('deploy', () => {
  const PRODUCTION = {
    productionDomain: 'api.example.com',
    productionCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
    alarmEmail: 'ops@example.com',
    oidcIssuer: 'https://login.example.com',
    oidcClientId: 'console',
    accountDailyQuota: '10000',
  };

  type Stack = { StackStatus?: string; Outputs?: { OutputKey: string; OutputValue: string }[] } | Error;

  const keeping = (options: object): Stack => ({
    StackStatus: 'UPDATE_COMPLETE',
    Outputs: [{ OutputKey: 'DeploymentOptions', OutputValue: JSON.stringify(options) }],
  });

  /** Deploys with these arguments over a stack in this state; what was run, and what was printed. */
  async function deployed(stack: Stack, ...args: string[]) {
    const commands: string[] = [];
    const printed: string[] = [];
    const send = async () => {
      if (stack instanceof Error) throw stack;
      return { Stacks: [stack] };
    };
    const isDone = await deploy(readDeployment(args) as Deployment, {
      cloudFormation: { send } as never,
      runs: (command) => commands.push(command.join(' ')) > 0,
      print: (text) => printed.push(text),
      root: '/checkout',
    });
    expect(isDone).toBe(true);
    return { commands, printed: printed.join('\n'), cdk: commands.find((each) => each.startsWith('npx cdk')) ?? '' };
  }

  const asArguments = (options: object): string =>
    Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' ');

  describe('options of a deployment', () => {
    it.each([
      ['again', []],
      ['a fix while alarms are red', ['--now']],
      ['an older commit', ['--to', 'v1.2.0']],
    ])('%s: are those that the stack keeps', async (_, args) => {
      const { cdk, printed } = await deployed(keeping(PRODUCTION), '--stage', 'production', ...args);
      expect(cdk).toContain(`npx cdk deploy FraudScreening-production ${asArguments(PRODUCTION)} `);
      expect(cdk).toContain('--no-previous-parameters');
      expect(printed).toContain('productionDomain=api.example.com (kept)');
    });

    it('are overridden one by one, and those of one deployment are not kept', async () => {
      const { cdk, printed } = await deployed(
        ...([keeping(PRODUCTION), '--stage', 'production', '-c', 'alarmEmail=new@example.com', '--now'] as const),
      );
      expect(cdk).toContain(asArguments({ ...PRODUCTION, alarmEmail: 'new@example.com', canary: 'off' }));
      expect(printed).toContain('alarmEmail=new@example.com (was ops@example.com)');
      expect(printed).toContain('canary=off (this time only)');
    });

    it.each([
      ['domain', 'Domain=|CertificateArn='],
      ['signIn', 'oidc'],
      ['subscriptions', 'alarmEmail'],
      ['quota', 'accountDailyQuota'],
      ['accountDailyQuota', 'accountDailyQuota'],
    ])('--drop %s takes exactly that away', async (name, gone) => {
      const { cdk } = await deployed(keeping(PRODUCTION), '--stage', 'production', '--drop', name);
      const left = Object.fromEntries(
        Object.entries(PRODUCTION).filter(([each]) => !new RegExp(gone).test(`${each}=`)),
      );
      expect(Object.keys(left).length).toBeLessThan(Object.keys(PRODUCTION).length);
      expect(cdk).toContain(`FraudScreening-production ${asArguments(left)} --no-previous`);
    });

    it.each([
      [['-c', 'productionDomain='], '--drop productionDomain'],
      [['-c', 'alarms=off'], 'would lose who is notified of alarms. If you mean it, add --drop subscriptions'],
      [['-c', 'alarmMail=a@b.c'], '-c alarmMail is not an option'],
      [['--drop', 'everything'], '--drop everything is not known'],
      [['--drop', 'quota', '-c', 'accountDailyQuota=5'], 'not both'],
      [['--adopt'], 'keeps its options already'],
    ])('%j is refused in a sentence, before anything is deployed', async (args, problem) => {
      await expect(deployed(keeping(PRODUCTION), '--stage', 'production', ...args)).rejects.toThrow(problem);
    });

    it('are none before the first deployment, and after one that was rolled back', async () => {
      const missing = new Error('Stack with id FraudScreening-sandbox does not exist');
      expect((await deployed(missing)).cdk).toBe('npx cdk deploy FraudScreening-sandbox --no-previous-parameters');
      expect((await deployed({ StackStatus: 'ROLLBACK_COMPLETE' })).printed).toContain('none');
    });

    it('that cannot be read stop a deployment, which could take a domain away', async () => {
      await expect(deployed(new Error('not authorized'))).rejects.toThrow(
        'take a domain or sign-in away: not authorized',
      );
    });

    it('of a stage that kept none must be named, once', async () => {
      const older: Stack = { StackStatus: 'UPDATE_COMPLETE', Outputs: [] };
      await expect(deployed(older)).rejects.toThrow('--adopt');
      expect((await deployed(older, '--adopt', '-c', 'alarmEmail=a@b.c')).cdk).toContain('-c alarmEmail=a@b.c');
    });

    it('in a copy of the older commit, which is removed', async () => {
      const { commands } = await deployed(keeping({}), '--to', 'v1.2.0');
      expect(commands.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
        'git worktree add',
        'npm ci',
        'npx cdk deploy',
        'git worktree remove',
      ]);
    });
  });
});

describe('deployment steps', () => {
  const read = (...args: string[]) => readDeployment(args) as Deployment;
  const commandOf = (...args: string[]) => {
    const deployment = read(...args);
    return deploymentSteps(deployment, deployment.given, '/copy').deploy.join(' ');
  };

  describe('npm run deploy', () => {
    it('needs no name of a stack: the sandbox is meant, or the stage that is named', () => {
      expect(commandOf()).toBe('npx cdk deploy FraudScreening-sandbox --no-previous-parameters');
      expect(commandOf('--stage', 'production')).toBe(
        'npx cdk deploy FraudScreening-production --no-previous-parameters',
      );
    });

    it('hands on options of the deployment and of cdk', () => {
      expect(commandOf('-c', 'alarmEmail=a@b.c', '-c', 'console=off', '--', '--profile', 'acme')).toBe(
        'npx cdk deploy FraudScreening-sandbox -c alarmEmail=a@b.c -c console=off --no-previous-parameters --profile acme',
      );
    });

    it('is live at once when asked: a fix gets out while alarms are red', () => {
      expect(commandOf('--now')).toBe('npx cdk deploy FraudScreening-sandbox -c canary=off --no-previous-parameters');
    });

    it('goes back with one command: the older commit as a whole, by CloudFormation, at once', () => {
      const steps = deploymentSteps(read('--stage', 'production', '--to', 'v1.2.0'), { canary: 'off' }, '/copy');
      expect(steps.before.map(({ command, inside }) => [command.join(' '), inside])).toEqual([
        ['git worktree add --detach /copy v1.2.0', false],
        ['npm ci', true],
      ]);
      expect(steps.deploy.join(' ')).toBe(
        'npx cdk deploy FraudScreening-production -c canary=off --no-previous-parameters --require-approval never',
      );
      expect(steps.after).toEqual([['git', 'worktree', 'remove', '--force', '/copy']]);
    });

    it.each([
      [['--stage', 'moon'], '--stage moon is not known'],
      [['-c', 'canary'], 'give name=value'],
      [['--wrong'], 'wrong'],
      [['--', '-c', 'console=off'], 'Give -c before the second --'],
    ])('%j is one sentence', (args, problem) => {
      expect(readDeployment(args)).toEqual({ problem: expect.stringContaining(problem) });
    });
  });
});

describe('dry run', () => {
  type Resources = Readonly<Record<string, object>>;

  const TABLE = { Type: 'AWS::DynamoDB::GlobalTable', Properties: { KeySchema: ['pk'] } };
  const DOMAIN = { Type: 'AWS::ApiGateway::DomainName', Properties: { DomainName: 'api.example.com' } };
  const ROLE = { Type: 'AWS::IAM::Role', Properties: {} };
  const METADATA = { Type: 'AWS::CDK::Metadata' };
  const HASH = 'a'.repeat(64);
  const NESTED = {
    Type: 'AWS::CloudFormation::Stack',
    Properties: { TemplateURL: `https://assets.example.com/${HASH}.json` },
  };
  const MODELS: Resources = { Registry: { Type: 'AWS::S3::Bucket' } };

  /** A cloud assembly with these resources in the stack of the sandbox, and a role in the stack nested in it. */
  function assembly(folder: string, resources: Resources): string {
    const write = (file: string, Resources: Resources) =>
      writeFileSync(join(folder, file), JSON.stringify({ Resources }));
    write('FraudScreening-Models.template.json', MODELS);
    write('FraudScreening-sandbox.template.json', { ...resources, CDKMetadata: METADATA });
    write('functions.json', { Role: ROLE, CDKMetadata: METADATA });
    const files = { [HASH]: { source: { path: 'functions.json' } } };
    writeFileSync(join(folder, 'FraudScreening-sandbox.assets.json'), JSON.stringify({ files }));
    return folder;
  }

  /** The deployed stacks, by name or ARN. */
  function cloudFormation(stacks: Readonly<Record<string, Resources>>) {
    const send = async (command: { constructor: { name: string }; input: { StackName: string } }) => {
      const { input } = command;
      const { name } = command.constructor;
      const resources = stacks[input.StackName];
      if (!resources) throw new Error(`Stack with id ${input.StackName} does not exist`);
      if (name === 'DescribeStacksCommand') {
        return { Stacks: [{ Outputs: [{ OutputKey: 'DeploymentOptions', OutputValue: '{"console":"off"}' }] }] };
      }
      if (name === 'GetTemplateCommand') return { TemplateBody: JSON.stringify({ Resources: resources }) };
      const nested = Object.entries(resources).filter(([, each]) => each === NESTED);
      return {
        StackResourceSummaries: nested.map(([LogicalResourceId]) => ({
          ...{ ResourceType: NESTED.Type, LogicalResourceId, PhysicalResourceId: 'arn:nested' },
        })),
      };
    };
    return { send } as never;
  }

  async function dryRun(deployed: Readonly<Record<string, Resources>>, next: Resources, ...args: string[]) {
    const commands: string[] = [];
    const printed: string[] = [];
    await deploy(readDeployment(['--dry-run', ...args]) as Deployment, {
      cloudFormation: cloudFormation(deployed),
      runs: (command) => {
        commands.push(command.join(' '));
        const at = command.indexOf('--output');
        if (at >= 0) assembly(command[at + 1] ?? '', next);
        return true;
      },
      print: (text) => printed.push(text),
      root: '/checkout',
    });
    return { commands, text: printed.join('\n') };
  }

  describe('npm run deploy -- --dry-run', () => {
    it('says what would be lost before anything else, with the options that the stage keeps, and deploys nothing', async () => {
      const { commands, text } = await dryRun(
        { 'FraudScreening-Models': MODELS, 'FraudScreening-sandbox': { Table: TABLE, Domain: DOMAIN, Role: ROLE } },
        { Table: { ...TABLE, Properties: { KeySchema: ['sk'] } }, Nested: NESTED },
      );
      expect(commands).toEqual([expect.stringMatching(/^npx cdk synth --quiet --output \S+ -c console=off$/)]);
      expect(text).toContain('FraudScreening-Models: nothing changes.');
      expect(text).toContain('WOULD BE LOST: table Table, domain of the API Domain.');
      expect(text).toContain(
        '  deleted (1)\n    domain of the API Domain\n  replaced by a new one (1)\n    table Table (KeySchema)',
      );
      expect(text).toContain('role, 1: Nested/Role');
      expect(text.indexOf('Holds data')).toBeLessThan(text.indexOf('Everything else'));
      expect(text).toContain('AWS WOULD REFUSE THIS UPDATE:\n  FraudScreening-sandbox/Table: KeySchema changes');
    });

    it('looks into stacks that are nested in the deployed one', async () => {
      const { text } = await dryRun(
        {
          'FraudScreening-Models': MODELS,
          'FraudScreening-sandbox': { Table: TABLE, Nested: NESTED },
          'arn:nested': { Role: { ...ROLE, Properties: { Description: 'old' } } },
        },
        { Table: TABLE, Nested: NESTED },
      );
      expect(text).toContain('Nothing that holds data, an address or a subscription is replaced or deleted.');
      expect(text).toContain('changed in place (1)\n    role, 1: Nested/Role');
    });

    it('before the first deployment, everything is added', async () => {
      expect((await dryRun({}, { Table: TABLE })).text).toContain('Nothing is deployed yet.');
    });

    it('compares with a folder or a commit, without a connection', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dry-run-'));
      try {
        const from = assembly(folder, { Table: TABLE });
        expect((await dryRun({}, { Table: TABLE, Domain: DOMAIN }, '--from', from)).text).toContain(
          'added (1)\n    domain of the API Domain',
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
      const { commands } = await dryRun({}, { Table: TABLE }, '--from', 'v1.2.0');
      expect(commands.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
        ...['npx cdk synth', 'git worktree add', 'npm ci', 'npx cdk synth', 'git worktree remove'],
      ]);
    });

    it('is the only one that compares with something else', () => {
      expect(readDeployment(['--from', 'v1'])).toEqual({ problem: '--from is for --dry-run.' });
    });
  });
});

describe('template changes', () => {
  const STACK = 'Shop';

  /** A table, a queue with a fixed name, and a function with an alias that reads the table. */
  const ONE: StackTemplates = {
    [STACK]: {
      Resources: {
        Table: {
          Type: 'AWS::DynamoDB::GlobalTable',
          Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], BillingMode: 'PAY_PER_REQUEST' },
          DeletionPolicy: 'Retain',
        },
        Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'orders', VisibilityTimeout: 30 } },
        Read: { Type: 'AWS::Lambda::Function', Properties: { Environment: { TABLE: { Ref: 'Table' } } } },
        Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Read' }, Name: 'live' } },
      },
    },
  };

  /** The same, with the function in a nested stack. */
  const SPLIT: StackTemplates = {
    [STACK]: {
      Resources: {
        ...pick(ONE, 'Table', 'Queue'),
        Code: { Type: 'AWS::CloudFormation::Stack', Properties: { Parameters: { TableName: { Ref: 'Table' } } } },
        Live: {
          Type: 'AWS::Lambda::Alias',
          Properties: { FunctionName: { 'Fn::GetAtt': ['Code', 'Outputs.ReadName'] }, Name: 'live' },
        },
      },
    },
    [`${STACK}/Code`]: {
      Parameters: { TableName: {} },
      Resources: {
        Read: { Type: 'AWS::Lambda::Function', Properties: { Environment: { TABLE: { Ref: 'TableName' } } } },
      },
      Outputs: { ReadName: { Value: { Ref: 'Read' } } },
    },
  };

  function pick(templates: StackTemplates, ...ids: readonly string[]) {
    const resources = Object.entries(templates[STACK]?.Resources ?? {});
    return Object.fromEntries(resources.filter(([id]) => ids.includes(id)));
  }

  /** The one stack with some properties of one resource changed. */
  const changed = (id: string, properties: Record<string, unknown>): StackTemplates => {
    const resources = ONE[STACK]?.Resources ?? {};
    const resource = resources[id] ?? { Type: '' };
    return {
      [STACK]: {
        Resources: { ...resources, [id]: { ...resource, Properties: { ...resource.Properties, ...properties } } },
      },
    };
  };

  const told = (before: StackTemplates, after: StackTemplates) =>
    templateChanges(before, after).map(({ stack, logicalId, kind, properties }) =>
      [kind, `${stack}/${logicalId}`, ...properties].join(' '),
    );

  describe('what an update does', () => {
    it('nothing, where nothing differs but the order of members', () => {
      const turned = changed('Queue', {});
      expect(told(ONE, ONE)).toEqual([]);
      expect(
        told(ONE, {
          [STACK]: { Resources: Object.fromEntries(Object.entries(turned[STACK]?.Resources ?? {}).reverse()) },
        }),
      ).toEqual([]);
      expect(told(changed('Queue', { QueueName: 'orders', VisibilityTimeout: 30 }), ONE)).toEqual([]);
    });

    it('everything is added where nothing is deployed', () => {
      expect(told({}, ONE)).toEqual(['Table', 'Queue', 'Read', 'Live'].map((id) => `added ${STACK}/${id}`));
    });

    it('changes in place what can be, and replaces what cannot', () => {
      expect(told(ONE, changed('Queue', { VisibilityTimeout: 60 }))).toEqual([
        `changed ${STACK}/Queue VisibilityTimeout`,
      ]);
      expect(told(ONE, changed('Queue', { QueueName: 'other' }))).toEqual([`replaced ${STACK}/Queue QueueName`]);
    });

    it('whatever refers to a replaced resource changes too, or is replaced in turn', () => {
      expect(told(ONE, changed('Table', { KeySchema: [] }))).toEqual([
        `replaced ${STACK}/Table KeySchema`,
        `changed ${STACK}/Read Environment`,
      ]);
      expect(told(ONE, changed('Read', { FunctionName: 'read' }))).toEqual([
        `replaced ${STACK}/Read FunctionName`,
        `replaced ${STACK}/Live FunctionName`,
      ]);
    });

    it('a resource that moves into a nested stack is deleted here and made there', () => {
      expect(told(ONE, SPLIT)).toEqual([
        `added ${STACK}/Code`,
        `replaced ${STACK}/Live FunctionName`,
        `added ${STACK}/Code/Read`,
        `deleted ${STACK}/Read`,
      ]);
      expect(told(SPLIT, SPLIT)).toEqual([]);
    });

    it('what has a policy to be retained is kept, and tells that somebody would miss it', () => {
      const [kept, queue] = templateChanges(ONE, { [STACK]: { Resources: {} } });
      expect([kept?.kind, kept?.isStateful]).toEqual(['kept', true]);
      expect([queue?.kind, queue?.isStateful]).toEqual(['deleted', true]);
    });

    it('takes every change of an unknown type for a replacement', () => {
      const of = (size: number): StackTemplates => ({
        [STACK]: { Resources: { A: { Type: 'AWS::New::Thing', Properties: { size } } } },
      });
      expect(told(of(1), of(2))).toEqual([`replaced ${STACK}/A size`]);
    });
  });

  describe('stacks joined', () => {
    it('read as if they had never been apart', () => {
      const { Resources: joined = {} } = joinStacks(SPLIT);
      const { Code, ...rest } = joined;
      expect(Code?.Type).toBe('AWS::CloudFormation::Stack');
      expect(rest).toEqual(ONE[STACK]?.Resources);
    });

    it('refuse one name for two resources', () => {
      const twice = { ...SPLIT, [STACK]: { Resources: { ...SPLIT[STACK]?.Resources, ...pick(ONE, 'Read') } } };
      expect(() => joinStacks(twice)).toThrow('Read is in more than one');
    });
  });

  it('the table of replacements agrees with the one in the CDK command line', () => {
    interface Spec {
      readonly cloudFormationType: string;
      readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
    }
    const file = readFileSync(join(require.resolve('aws-cdk/package.json'), '../db.json.gz'));
    const { schema } = JSON.parse(gunzipSync(file).toString()) as {
      schema: { resource: { entities: Record<string, Spec> } };
    };
    const theirs = new Map(
      Object.values(schema.resource.entities).map(({ cloudFormationType, properties }) => [
        cloudFormationType,
        Object.keys(properties).filter((name) => (properties[name]?.causesReplacement ?? 'no') !== 'no'),
      ]),
    );
    const ours = Object.entries(REPLACING).filter(
      ([type]) => type.startsWith('AWS::') && type !== 'AWS::CDK::Metadata',
    );
    expect(ours.map(([type, names]) => [type, [...names].sort()])).toEqual(
      ours.map(([type]) => [type, [...(theirs.get(type) ?? ['not known'])].sort()]),
    );
    expect([...STATEFUL].filter((type) => !(type in REPLACING))).toEqual([]);
  });
});

describe('workflow sample', () => {
  const DIRECTORY = join(__dirname, '../../../.github/workflows');
  const read = (file: string): string => readFileSync(join(DIRECTORY, file), 'utf8');

  interface Step {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }

  describe('workflows', () => {
    it.each(readdirSync(DIRECTORY))('%s parses, has least permissions by default and a time limit', (file) => {
      const { permissions, jobs } = parse(read(file));
      expect(permissions.contents).toBe('read');
      for (const job of Object.values<Record<string, unknown>>(jobs))
        expect(job['timeout-minutes']).toEqual(expect.any(Number));
    });
  });

  describe('the sample that deploys', () => {
    const text = read('deploy-sample.yml');
    const { on, jobs, permissions } = parse(text);
    const steps: readonly Step[] = jobs.deploy.steps;

    it('runs only when somebody starts it, for a stage that exists', () => {
      expect(Object.keys(on)).toEqual(['workflow_dispatch']);
      expect(on.workflow_dispatch.inputs.stage.options).toEqual(['sandbox', 'production']);
    });

    it('pins every action to a commit, with its version beside it', () => {
      const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
      expect(used.length).toBeGreaterThanOrEqual(3);
      for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it('has no secret: AWS trusts the identity of the workflow', () => {
      expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
      expect(text).not.toMatch(/secrets\.|access-key|AWS_SECRET/i);
      const credentials = steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials'));
      expect(credentials?.with).toHaveProperty('role-to-assume');
    });

    it('puts no input into a command: a shell would run what it says', () => {
      for (const { run = '' } of steps) expect(run).not.toContain('${{');
    });

    it('tests, deploys and verifies, in this order', () => {
      const commands = steps.flatMap(({ run = '' }) => /npm run (\w+)/.exec(run)?.[1] ?? []);
      expect(commands).toEqual(['check', 'deploy', 'verify']);
      const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
      for (const command of commands) expect(scripts).toHaveProperty(command);
    });
  });
});
