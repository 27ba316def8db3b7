import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiAt, throwAwayAccount, untilBy, type VerifyContext } from '../../../bin/verify/check';
import { CHECKS } from '../../../bin/verify/checks';
import { localReceiver } from '../../../bin/verify/receiver';
import { runChecks } from '../../../bin/verify/run-checks';
import { stageAt } from '../../../bin/verify/subject';
import { expectCleanLogs } from '../../support/audits/log-leaks';
import { eventually } from '../../support/local-fixture/fixture';
import { localRun, startLocalRun, stopLocalRun } from '../../support/local-run';
import { type Fault, faultyProxy, saying, without } from '../../support/machine/faulty-proxy';
import { patient } from '../../support/patience';
import { ownFunctions, resourcesOf } from '../../support/template';

const ROOT = join(__dirname, '../../..');
const running: ChildProcess[] = [];
/** A run that may reach this machine: started by the first test, and used by all that follow. */
let url = '';
const directories: string[] = [];

afterAll(async () => {
  for (const child of running) if (child.exitCode === null) await stopLocalRun(child);
  for (const directory of directories) {
    expectCleanLogs(directory);
    rmSync(directory, { recursive: true, force: true });
  }
});

function listen(dataDir: string, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'local/listen/main.ts', '--port', '0', '--data-dir', dataDir, ...args],
    { cwd: ROOT },
  );
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return {
    child,
    said: () => said,
    saying: (pattern: RegExp) => eventually(async () => pattern.exec(said) ?? undefined, 60_000),
  };
}

it(
  'npm run listen: says how to start the service, then verifies and prints what comes',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'listened-'));
    directories.push(dataDir);
    const listener = listen(dataDir);
    const [, ...options] = await listener.saying(/npm start -- (--local-webhooks)$/m);
    const { child, run } = await startLocalRun(dataDir, options);
    running.push(child);
    url = run.url;
    const [, webhookId = ''] = await listener.saying(/Listening at https:\/\/localhost:\d+\/ as (wh_\w+)/);

    const { key } = JSON.parse(readFileSync(join(dataDir, 'demo-account.json'), 'utf8')) as { key: string };
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ user_id: 'user-1', amount: 25, currency: 'EUR' });
    const response = await fetch(`${run.url}/v1/transactions/screen`, { method: 'POST', headers, body });
    const { transaction_id } = (await response.json()) as { transaction_id: string };
    await listener.saying(/verified {2}transaction\.screened +msg_\w+ {2}attempt 1/);
    await listener.saying(new RegExp(`transaction_id ${transaction_id} +decision allow`));

    const exited = once(listener.child, 'exit');
    listener.child.kill('SIGINT');
    expect((await exited)[0]).toBe(0);
    const { webhooks } = (await (await fetch(`${run.url}/v1/webhooks`, { headers })).json()) as {
      webhooks: object[];
    };
    expect([webhookId, webhooks]).toEqual([expect.stringMatching(/^wh_/), []]);
  },
  patient(90_000),
);

it('says what to do when the service was started without --local-webhooks', async () => {
  const listener = listen(localRun().dataDir);
  const [code] = await once(listener.child, 'exit');
  expect([code, listener.said()]).toEqual([
    1,
    expect.stringMatching(/Restart the local run with --local-webhooks.*npm start/s),
  ]);
});

it('names the event types when it does not know one', async () => {
  const listener = listen(localRun().dataDir, '--events', 'case.closed');
  const [code] = await once(listener.child, 'exit');
  expect([code, listener.said()]).toEqual([1, expect.stringContaining('case.resolved')]);
});

describe('npm run verify', () => {
  it(
    'is green on a local run: the report says so, the exit code is 0, nothing is left behind',
    async () => {
      const report = join(directories[0] ?? '', 'report.txt');
      // A key in use is refused only after the gateway's cache: a minute, and a test of its own below.
      const args = ['--import', 'tsx', 'bin/verify.ts', '--url', url, '--skip', 'revocation', '--report', report];
      const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) =>
        execFile(process.execPath, args, { cwd: ROOT }, (error, out) =>
          resolve({ code: Number(error?.code ?? 0), stdout: out }),
        ),
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining('Everything works: 22 checks passed')]);
      expect(stdout).toContain('Not checked: sign-in, signed-authorization, test-page (reasons above).');
      const all = ownFunctions(resourcesOf('FraudScreening-sandbox')).length;
      expect(stdout).toContain(`${all} functions, all invoked`);
      expect(stdout).toMatch(/Clean-up: account acc_\w+ removed/);
      expect(readFileSync(report, 'utf8')).toBe(stdout);
    },
    // A rule and a list may take a minute each to work everywhere.
    patient(240_000),
  );

  describe('is red when', () => {
    let proxy: Awaited<ReturnType<typeof faultyProxy>>;
    let context: VerifyContext;
    const closing: (() => Promise<unknown>)[] = [];
    let serial = 0;

    beforeAll(async () => {
      proxy = await faultyProxy(url);
      const subject = await stageAt(proxy.url, 'sandbox', undefined);
      if (!subject.admin) throw new Error('The proxy hides the local run');
      const account = await throwAwayAccount(subject.admin, 'verify under test');
      const receiver = await localReceiver();
      closing.push(proxy.close, account.remove, receiver.close);
      const patiently = untilBy(100, Date.now, delay);
      context = {
        ...subject,
        stage: 'sandbox',
        api: apiAt(proxy.url),
        key: account.key,
        account,
        receiver,
        authorizationProbe: undefined,
        token: undefined,
        startedMs: Date.now(),
        // A request that never comes need not be awaited for as long as a person would.
        until: (withinMs, find, problem) => patiently(Math.min(withinMs, 1_500), find, problem),
        newName: (prefix) => `${prefix}-${++serial}-${Math.floor(Math.random() * 1e9).toString(36)}`,
      };
    });
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });

    const accepting: Fault = {
      response: (_method, path, answer) => {
        if (path === '/v1/webhooks' && answer.status === 401) answer.status = 200;
      },
    };
    const gatewaysOwn: Fault = {
      response: (_method, path, answer) => {
        if (path === '/v1/nothing-here') answer.body = '{"message":"Missing Authentication Token"}';
      },
    };
    const decided = (from: string, to: string): Fault =>
      saying(/^\/v1\/transactions\/screen/, (json) => ({
        ...json,
        decision: json.decision === from ? to : json.decision,
      }));
    const unreachable: Fault = {
      request: (method, path, body) =>
        method === 'POST' && path === '/v1/webhooks' ? body.replace(/localhost:\d+/, 'localhost:1') : body,
    };
    const otherSecret = saying(/^\/v1\/webhooks$/, (json) =>
      json.signing_secret ? { ...json, signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` } : json,
    );
    const denied = saying(/^\/_local\/schedules\/.*Training/, () => [
      { ok: false, error: { errorMessage: 'AccessDeniedException: dynamodb:Query' } },
    ]);

    it.each<readonly [string, string, Fault, RegExp]>([
      [
        'an output is missing',
        'outputs',
        saying(/^\/_local\/run/, (run) => delete run.outputs.TableName && run),
        /no output TableName/,
      ],
      [
        'another version is deployed',
        'pages',
        saying(/^\/openapi/, ({ paths, ...rest }) => ({ ...rest, paths: { ...paths, '/v1/cases': undefined } })),
        /lacks \/v1\/cases: another version/,
      ],
      ['a bad key is accepted', 'keys', accepting, /with an unknown key should be 401 unauthorized; it was 200/],
      [
        'a header of errors is dropped',
        'errors',
        without(/^\/v1/, 'x-request-id'),
        /has request_id .* but X-Request-Id null/,
      ],
      [
        'the gateway answers in its own words',
        'errors',
        gatewaysOwn,
        /an unknown route .* should be 404 not_found; it was 404: .*Missing Authentication/,
      ],
      [
        'nothing is held for review',
        'decisions',
        decided('review', 'allow'),
        /should be held for review; it got allow at \d+/,
      ],
      ['an outcome has no effect', 'decisions', decided('block', 'allow'), /should be blocked; it got allow/],
      [
        'points do not add up',
        'decisions',
        saying(/screen$/, (json) => ({ ...json, risk_score: json.risk_score + 1 })),
        /add up to \d+, but the score is/,
      ],
      [
        'cases are not listed',
        'cases',
        saying(/^\/v1\/cases\?/, (json) => ({ ...json, cases: [] })),
        /is not among the open cases/,
      ],
      [
        'a repeat is not marked',
        'repeats',
        without(/screen$/, 'idempotent-replayed'),
        /lacks the header Idempotent-Replayed/,
      ],
      ['nothing is delivered', 'webhooks', unreachable, /not recorded as delivered .* its last attempt was network/],
      ['a signature is wrong', 'webhooks', otherSecret, /its signature is wrong/],
      [
        'the console lacks a header',
        'console-headers',
        without(/^\/console/, 'content-security-policy'),
        /content-security-policy: missing/,
      ],
      ['a sweep is refused', 'schedules', denied, /Training\w+ failed: AccessDeniedException: dynamodb:Query/],
      [
        'a metric does not arrive',
        'metrics',
        saying(/^\/_local\/metrics/, (counts) => ({ ...counts, Decisions: 0 })),
        /No value arrived for .*Decisions/,
      ],
      [
        'an alarm sees no data',
        'alarms',
        saying(/^\/_local\/alarms/, (all) =>
          all.map((each: object, at: number) => (at === 0 ? { ...each, state: 'INSUFFICIENT_DATA' } : each)),
        ),
        /No data \(INSUFFICIENT_DATA\), \d+ alarms?: [a-z]/,
      ],
      [
        'an alarm is red',
        'alarms',
        saying(/^\/_local\/alarms/, (all) =>
          all.map((each: object, at: number) => ({ ...each, description: '', state: at === 0 ? 'ALARM' : 'OK' })),
        ),
        /Red, 1 alarm: \S+\. See docs\/runbook\.md/,
      ],
      [
        'no check reaches a function',
        'functions',
        saying(/^\/_local\/functions/, (counts) => ({ ...counts, ReadTeaLeaves: 0 })),
        /No check has reached .*ReadTeaLeaves/,
      ],
      [
        'a new key is not known yet',
        'ready',
        {
          response: (_method, path, answer) => void (path === '/v1/webhooks' && Object.assign(answer, { status: 403 })),
        },
        /did not work within two minutes; the last response was 403/,
      ],
      [
        'a block list has no effect',
        'lists',
        decided('block', 'allow'),
        /has no effect after 60 s: such a payment should get block/,
      ],
      [
        'a rule has no effect',
        'rules',
        decided('block', 'allow'),
        /has no effect after 60 s: such a payment should get block/,
      ],
      [
        'a timeline forgets',
        'desk',
        saying(/timeline$/, () => ({ entries: [] })),
        /lacks screened, case_opened, claimed/,
      ],
      [
        'a forged dispute is taken',
        'inbound',
        {
          response: (_method, path, answer) =>
            void (path.includes('/inbound/') && Object.assign(answer, { status: 200 })),
        },
        /A forged notification of stripe should be 401; it was 200/,
      ],
      [
        'Amazon’s client is refused',
        'afd',
        {
          response: (_method, path, answer) => void (path.startsWith('/afd') && Object.assign(answer, { status: 403 })),
        },
        /Amazon’s client failed/,
      ],
      [
        'an export is empty',
        'personal-data',
        saying(/export$/, (json) => ({ ...json, decisions: [] })),
        /with one payment has 0 decisions/,
      ],
      // The gateway's cache answers for longer than this test waits.
      ['a revoked key still works', 'revocation', {}, /still accepted after 60 s/],
    ])('%s', async (_title, name, fault, message) => {
      proxy.breakBy(fault);
      const [result] = await runChecks(CHECKS, context, { only: [name], skip: [], now: Date.now });
      expect([result?.outcome, result?.detail]).toEqual(['failed', expect.stringMatching(message)]);
    });
  });
});
