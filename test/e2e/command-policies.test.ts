import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ADMIN_COMMANDS } from '../../bin/admin/commands';
import { findAddress, findTarget } from '../../bin/admin/target';
import { deployedTemplates, keptOptions } from '../../bin/deploy/deploy';
import { INTELLIGENCE_COMMANDS } from '../../bin/intelligence/commands';
import { MODEL_COMMANDS } from '../../bin/model/commands';
import {
  type CommandCalls,
  deployerPolicy,
  executionPolicy,
  operatorPolicy,
  RESOURCES,
} from '../../bin/policies/policy-document';
import { awsOperator } from '../../bin/verify/aws-operator';
import { throwAwayAccount } from '../../bin/verify/check';
import { queueReceiver } from '../../bin/verify/receiver';
import { bundledFiles } from '../../lib/bundling/compile-intelligence';
import { intelligenceAdmin } from '../../lib/bundling/renew-intelligence';
import type { AwsAnswer, AwsCall } from '../../local/aws/call';
import type { Proceed } from '../../local/aws/front';
import { type AccessDecision, type AccessRequest, compilePolicy, evaluator, wildcard } from '../../local/iam/roles';
import { type LocalRun, startLocal } from '../../local/start-local';
import { type CommandTable, readCommand, UsageError } from '../../shared/cli/command-line';
import { DomainError } from '../../shared/domain/errors';
import { localClient } from '../../shared/runtime/admin-wiring';
import { newId } from '../../shared/runtime/ids';
import { modelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { registryPrefix } from '../../shared/store/models/model-registry';
import { s3ObjectStore } from '../../shared/store/sdk/object-store';
import { call } from '../support/api';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { amountModel } from '../support/stores/registry';
import { assemblyUnderTest } from '../support/synthesize-once';
import { useReceiver } from '../support/webhooks/webhook-receiver';

/**
 * Every command runs under exactly the policy that docs/policies gives its user. With RECORD_CALLS=on everything is allowed
 * and the calls are written to bin/policies/command-calls.json, from which `npm run policies` makes the policies.
 */
const CALLS_FILE = join(__dirname, '../../bin/policies/command-calls.json');
const isRecording = process.env.RECORD_CALLS === 'on';
const recorded: CommandCalls = JSON.parse(readFileSync(CALLS_FILE, 'utf8'));
const policy = (name: string) => JSON.parse(readFileSync(join(__dirname, `../../docs/policies/${name}.json`), 'utf8'));
const allowedBy = (name: string) => evaluator(compilePolicy(policy(name)));

const seen = new Map<string, Set<string>>();
/** The command that is running; nothing is recorded or refused between commands. */
let running: { readonly command: string; readonly may: (request: AccessRequest) => AccessDecision } | undefined;

/** CloudFormation names a secret after its logical ID alone; the local run puts the stack in front. */
const asInAws = (arn: string): string => arn.replace(/(:secret:)FraudScreening-\w+-/, '$1');

function refusal({ action, resource }: AccessRequest): string | undefined {
  if (!running) return undefined;
  const arn = asInAws(resource);
  const known = Object.entries(RESOURCES).find(([, patterns]) => patterns.some((each) => wildcard(each).test(arn)));
  const calls = seen.get(running.command) ?? new Set();
  seen.set(running.command, calls.add(`${known?.[0]} ${action}`));
  if (isRecording || running.may({ action, resource: arn }) === 'allowed') return undefined;
  return `${running.command} may not ${action} on ${arn}`;
}

async function under<Result>(name: 'operator' | 'deployer', command: string, work: () => Promise<Result>) {
  running = { command, may: allowedBy(name) };
  return work().finally(() => {
    running = undefined;
  });
}

const denied = (message: string): AwsAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: 'x#AccessDeniedException', message }),
});

/** Calls of the administrator are those of the command line. */
async function enforce({ caller, access, service, input }: AwsCall & { caller: string }, proceed: Proceed) {
  if (caller !== 'admin' || !running) return undefined;
  const reason = access.map(refusal).find((each) => each !== undefined);
  if (reason) return denied(reason);
  if (service !== 's3') return undefined;
  const answer = await proceed();
  // Without the right to list, S3 does not say that an object is missing.
  const listing = { action: 's3:ListBucket', resource: `arn:aws:s3:::${input.Bucket}` };
  const hidden = answer.status === 404 ? refusal(listing) : undefined;
  return hidden ? denied(hidden) : answer;
}

const directory = mkdtempSync(join(tmpdir(), 'command-policies-'));
const receiver = useReceiver();
const shared = process.env.LOCAL_RUN_DIR;
let run: LocalRun;

beforeAll(async () => {
  Object.assign(process.env, receiver.env, GENEROUS_BUDGETS);
  const dataDir = join(directory, 'data');
  run = await startLocal({
    ...{ assembly: assemblyUnderTest(), stackName: 'FraudScreening-sandbox', dataDir, port: 0, inMemory: true },
    ...{ concurrencyPerFunction: 2, intercept: enforce },
  });
  process.env.LOCAL_RUN_DIR = dataDir;
  process.env.LOCAL_DATA_DIR = dataDir;
}, patient(60_000));
afterAll(async () => {
  process.env.LOCAL_RUN_DIR = shared;
  delete process.env.LOCAL_DATA_DIR;
  for (const name of Object.keys({ ...receiver.env, ...GENEROUS_BUDGETS })) delete process.env[name];
  await run?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string, text?: string): string => {
  const path = join(directory, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

/** Runs a command as its user types it, under the operator's policy; returns what it prints. */
async function runs<Deps>(table: CommandTable<Deps>, deps: Deps, line: string, ...more: string[]): Promise<string> {
  const called = readCommand(table, [...line.split(' '), ...more]);
  if (!called) throw new Error(`${line} only asked for help`);
  const [name = ''] = Object.entries(table.commands).find(([, command]) => command === called.command) ?? [];
  return under('operator', `${table.program.split(' ').at(-1)} ${name}`, () => called.command.run(deps, called.given));
}

const namesOf = (prefix: string): string[] =>
  [...seen.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));

it(
  'npm run admin: every command',
  async () => {
    const { deps } = await findTarget('sandbox', false);
    const admin = (line: string, ...more: string[]) => runs(ADMIN_COMMANDS, deps, line, ...more);
    const created = await admin('accounts create', 'A shop');
    const [account = ''] = /acc_\w+/.exec(created) ?? [];
    const [key = ''] = /sk_test_\w+/.exec(created) ?? [];
    await admin('accounts list');
    await admin(`accounts show ${account}`);
    await admin(`accounts set ${account} --review-threshold 1`);
    await admin('accounts reconnect');
    const [keyId = ''] = /key_\w+/.exec(await admin(`keys create ${account} --label second`)) ?? [];
    await admin(`keys list ${account}`);
    await admin(`keys revoke ${account} ${keyId}`);

    const body = { url: receiver.url('/hooks/policies'), events: ['case.created'] };
    const { webhook_id } = (await call('POST', '/v1/webhooks', { key, body })).json;
    await call('POST', '/v1/transactions/screen', { key, body: { user_id: 'u', amount: 5_000, currency: 'EUR' } });
    await admin(`webhooks rotate-secret ${account} ${webhook_id}`);
    const dead = { QueueUrl: run.outputs.DeadLetterQueueUrl ?? '', MessageBody: '{}' };
    const sqs = new SQSClient(localClient(run));
    await sqs.send(new SendMessageCommand(dead));
    const message = {
      account_id: account,
      webhook_id,
      delivery_id: newId('dlv', 0),
      message_id: newId('msg', 0),
      attempt: 0,
    };
    await sqs.send(new SendMessageCommand({ ...dead, MessageBody: JSON.stringify(message) }));
    sqs.destroy();
    expect(await admin('webhooks redrive')).toMatch(/^1 moved back/);
    await admin(`labels export ${account}`);

    const made = await admin(`inbound create ${account} stripe --secret`, `whsec_${'0123456789abcdef'.repeat(2)}`);
    const inbound = /in_\w+/.exec(made)?.[0] ?? '';
    await admin(`inbound list ${account}`);
    await admin(`inbound set-aside ${inbound}`);
    await admin(`inbound delete ${account} ${inbound}`);
    await admin(`afd-mapping set ${account}`, file('mapping.json', '{"event_types":{}}'));
    await admin(`afd-mapping show ${account}`);
    await admin(`afd-mapping remove ${account}`);
    await admin(`lists put ${account} mails --type email --effect block`);
    await admin(`lists import ${account} mails`, file('list.csv', 'value\na@example.com\n'));
    await admin(`lists export ${account} mails`, file('exported.csv'));
    await admin(`lists show ${account}`);
    await admin(`lists changes ${account}`);
    expect(await admin(`lists changes ${account} A@Example.com`)).toContain('mails');
    await admin(`lists delete ${account} mails`);
    await admin('data-key show');
    await admin('data-key rotate');
    await admin('data-key reseal');
    await admin('identity-key rotate');
    await admin('identity-key rekey');
    await admin('table export', file('backup.jsonl'));
    await admin('table verify', file('backup.jsonl'));
    await admin('table import --overwrite', file('backup.jsonl'));
    await call('POST', '/v1/users/u/erase', { key });
    await admin('erasures replay');
    // Checks a file on this machine.
    const withoutAws = ['table verify'];
    const all = Object.keys(ADMIN_COMMANDS.commands).filter((name) => !withoutAws.includes(name));
    expect(namesOf('admin ').sort()).toEqual(all.sort());
  },
  patient(120_000),
);

/** For commands that need more than a test has, such as labels of weeks: whatever they call must be allowed. */
const evenIfRefused = (running: Promise<string>): Promise<string> =>
  running.catch((error: Error) => {
    if (!(error instanceof UsageError || error instanceof DomainError)) throw error;
    return error.message;
  });

it(
  'npm run model: every command',
  async () => {
    const { outputs } = run;
    const client = localClient(run);
    const models = { bucket: outputs.ModelRegistryBucket ?? '', ...client };
    const deps = await modelAdminWiring('sandbox', { tableName: outputs.TableName ?? '', client, models });
    const model = (line: string, ...more: string[]) => runs(MODEL_COMMANDS, deps, line, ...more);
    await model('list');
    const [version = ''] = (await model('add', file('model.txt', amountModel(70).text))).split(' ');
    await model(`show ${version}`);
    await model(`shadow ${version}`);
    await model(`promote ${version}`);
    const { key } = await throwAwayAccount((await findTarget('sandbox', false)).deps, 'labels');
    const body = { user_id: 'u', amount: 20, currency: 'EUR' };
    const screened = () => call('POST', '/v1/transactions/screen', { key, body });
    for (const decision of ['allow', 'block']) {
      const { decision_id } = (await screened()).json;
      const review = await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision } });
      expect(review.status).toBe(200);
    }
    await evenIfRefused(model(`evaluate ${version}`));
    await model(`report ${version} --out`, file('report.html'));
    await model('rollback');
    const [second = ''] = (await model('add', file('second.txt', amountModel(80).text))).split(' ');
    await model(`retire ${second}`);
    await model('labels list');
    await model('labels reject acc_x');
    await evenIfRefused(model('labels accept acc_x'));
    await model('export', file('rows'));
    await model(`explain ${(await screened()).json.decision_id}`);
    expect(namesOf('model ').sort()).toEqual(Object.keys(MODEL_COMMANDS.commands).sort());
  },
  patient(120_000),
);

it(
  'npm run intelligence: every command, and the table of a decision is found by its version',
  async () => {
    const bucket = { bucket: run.outputs.ModelRegistryBucket ?? '', ...localClient(run) };
    const admin = intelligenceAdmin(s3ObjectStore(bucket), registryPrefix('sandbox'));
    const intelligence = (line: string, ...more: string[]) => runs(INTELLIGENCE_COMMANDS, admin, line, ...more);
    const [shipped = ''] = /(?<=^Table )\w+/.exec(await intelligence('list')) ?? [];
    const [disposable] = bundledFiles().filter(({ kind }) => kind === 'disposable');
    const domains = [...(JSON.parse(disposable?.text ?? '[]') as string[]), 'new.example'];
    await intelligence('update', file('disposable_domains.txt', domains.join('\n')));
    expect(await intelligence('lookup a@x.new.example')).toBe('{"disposable":true,"free":false}');
    expect(await intelligence(`lookup a@x.new.example --version ${shipped}`)).toBe('{"disposable":false,"free":false}');
    expect(await evenIfRefused(intelligence('lookup 1.1.1.1 --version none'))).toContain('no table none');
    await intelligence('rollback');
    expect(namesOf('intelligence ').sort()).toEqual(Object.keys(INTELLIGENCE_COMMANDS.commands).sort());
  },
  patient(120_000),
);

/** Clients of services that the local run does not have: the name of a command is its action. */
function cloud(service: string, answers: Readonly<Record<string, object>>) {
  const send = async ({ constructor: { name }, input }: { constructor: { name: string }; input: object }) => {
    const operation = name.replace(/Command$/, '');
    const { StackName, AlarmName, TopicArn, QueueUrl, FunctionName } = input as Record<string, string | undefined>;
    const place = (rest: string) => `arn:aws:${service}:eu-central-1:123456789012:${rest}`;
    const resource =
      (StackName && place(`stack/${StackName}/0`)) ??
      (operation === 'SetAlarmState' && AlarmName ? place(`alarm:${AlarmName}`) : undefined) ??
      (QueueUrl && place(QueueUrl.split('/').at(-1) ?? '')) ??
      (TopicArn || FunctionName || place('*'));
    const action = `${service}:${operation === 'Invoke' ? 'InvokeFunction' : operation}`;
    const reason = refusal({ action, resource });
    if (reason) throw new Error(reason);
    return answers[operation] ?? {};
  };
  return { send } as never;
}

const STACKS = {
  DescribeStacks: { Stacks: [{ StackStatus: 'CREATE_COMPLETE', Outputs: [] }] },
  GetTemplate: { TemplateBody: '{}' },
  ListStackResources: {
    StackResourceSummaries: [
      {
        ...{ ResourceType: 'AWS::Lambda::Alias', LogicalResourceId: 'SweepsSweepCasesLive720E82AB' },
        PhysicalResourceId: 'arn:aws:lambda:eu-central-1:123456789012:function:FraudScreening-sandbox-Sweep:live',
      },
    ],
  },
};

it('npm run verify --aws: what it does besides HTTP', async () => {
  const { deps } = await findTarget('sandbox', false);
  await under('operator', 'verify', async () => {
    const account = await throwAwayAccount(deps, 'verify');
    await account.revoke((await account.newKey('another')).keyId);
    await account.remove();
    const topic = 'arn:aws:sns:eu-central-1:123456789012:FraudScreening-sandbox-Pages';
    const AlarmHistoryItems = [{ HistorySummary: `Successfully executed action ${topic}` }];
    const operator = awsOperator({
      ...{ stage: 'sandbox', now: Date.now, outputs: { PagesTopicArn: topic } },
      until: async (_within, find) => (await find()) as never,
      cloudFormation: cloud('cloudformation', STACKS),
      cloudWatch: cloud('cloudwatch', { DescribeAlarmHistory: { AlarmHistoryItems } }),
      ...{ lambda: cloud('lambda', {}), sns: cloud('sns', {}) },
    });
    expect(await operator.runSchedules()).toHaveLength(1);
    await operator.metricsSince(['Decisions'], 0);
    await operator.alarms();
    expect(await operator.testPage()).toMatchObject({ sent: true });
    const arrived = { Messages: [{ Body: '{"headers":{},"body":""}', ReceiptHandle: 'r' }] };
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/FraudScreening-Verify-Arrivals';
    await queueReceiver('https://x', queueUrl, cloud('sqs', { ReceiveMessage: arrived })).arrivals?.();
    await keptOptions(cloud('cloudformation', STACKS), 'sandbox');
  });
});

it('npm run deploy: what it reads before CDK takes over', async () => {
  const cloudFormation = cloud('cloudformation', STACKS);
  await under('deployer', 'deploy', async () => {
    await keptOptions(cloudFormation, 'production');
    await deployedTemplates(cloudFormation, 'FraudScreening-production');
    // The CDK command line acts through the roles of `cdk bootstrap`, and reads the stacks for its progress.
    const role = 'arn:aws:iam::123456789012:role/cdk-acme1-deploy-role-123456789012-eu-central-1';
    expect(refusal({ action: 'sts:AssumeRole', resource: role })).toBeUndefined();
    await (cloudFormation as { send(command: object): Promise<object> }).send(new DescribeStackEventsCommand());
  });
});

/** As the CDK command line sends it. */
class DescribeStackEventsCommand {
  readonly input = { StackName: 'FraudScreening-production' };
}

it('--aws finds the stage by the outputs of its stack', async () => {
  const outputs = Object.entries(run.outputs)
    .map(([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
  const stack = `<member><StackName>s</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-18T00:00:00Z</CreationTime><Outputs>${outputs}</Outputs></member>`;
  let asked = '';
  const server = createServer(async (request, response) => {
    for await (const chunk of request) asked += chunk;
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = { ...process.env };
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  });
  try {
    const { tableName, models } = await findAddress('sandbox', true);
    expect([tableName, models.bucket]).toEqual([run.outputs.TableName, run.outputs.ModelRegistryBucket]);
  } finally {
    for (const name of [
      'AWS_ENDPOINT_URL_CLOUDFORMATION',
      'AWS_REGION',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
    ]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    server.closeAllConnections();
    server.close();
  }
  const action = new URLSearchParams(asked).get('Action');
  const resource = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/FraudScreening-sandbox/0';
  expect(allowedBy('operator')({ action: `cloudformation:${action}`, resource })).toBe('allowed');
});

describe('the policies in docs/policies', () => {
  const calls = () =>
    Object.fromEntries([...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, [...each].sort()]));

  it('are made from exactly these calls', () => {
    if (isRecording) writeFileSync(CALLS_FILE, `${JSON.stringify(calls(), undefined, 2)}\n`);
    else expect(calls()).toEqual(recorded);
  });

  it('are as npm run policies writes them, and small enough for a managed policy', () => {
    if (isRecording) return;
    const made = {
      operator: operatorPolicy(recorded),
      deployer: deployerPolicy(recorded),
      execution: executionPolicy(),
    };
    for (const [name, document] of Object.entries(made)) {
      expect(policy(name)).toEqual(document);
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html, without white space.
      expect(JSON.stringify(document).length).toBeLessThanOrEqual(6_144);
    }
  });
});
