import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy } from '../../../bin/deploy/deploy';
import { type Deployment, readDeployment } from '../../../bin/deploy/deployment-steps';

type Resources = Readonly<Record<string, object>>;

const TABLE = { Type: 'AWS::DynamoDB::GlobalTable', Properties: { KeySchema: ['pk'] } };
const DOMAIN = { Type: 'AWS::ApiGateway::DomainName', Properties: { DomainName: 'api.example.com' } };
const ROLE = { Type: 'AWS::IAM::Role', Properties: {} };
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
  write('FraudScreening-sandbox.template.json', resources);
  write('functions.json', { Role: ROLE });
  const files = { [HASH]: { source: { path: 'functions.json' } } };
  writeFileSync(join(folder, 'FraudScreening-sandbox.assets.json'), JSON.stringify({ files }));
  return folder;
}

/** What is deployed, by the name or ARN of its stack. */
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
