import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../local/backends/start-backends';
import { FraudScreening } from '../../sdk/client/src';
import { signatureHeaders } from '../../shared/outbound/sign';
import { newAccount } from '../support/api';
import { paste, type Step, shown, stepsOf } from '../support/docs/guide-steps';
import { type Sample, samplesOf } from '../support/docs/readme-samples';
import { runSample, writeSample } from '../support/docs/run-sample';
import { localRun } from '../support/local-run';
import { openTerminal, type Terminal } from '../support/machine/terminal';
import { packAndInstall } from '../support/packed-sdk';
import { GENEROUS_BUDGETS, patient } from '../support/patience';

describe('guide samples', () => {
  const ROOT = join(__dirname, '../..');
  const GUIDE = join(ROOT, 'docs/guide');

  /** Which test runs the samples of which page, by language; `text` is what is seen, or a drawing. */
  const RUN_HERE = {
    'curl.md': ['sh'],
    'integration.md': ['ts'],
    'migration.md': ['sh', 'json', 'ts'],
    'rules.md': ['sh'],
  };
  const RUN_ELSEWHERE = {
    // Its bodies are those of test/e2e/outcomes.test.ts and of the route's example.
    'chargebacks.md': ['json'],
    'leave-fraud-detector.md': ['sh', 'js', 'json'],
    'quickstart.md': ['sh', 'js'],
    'api.md': ['sh', 'json'],
    // test/e2e/recipes.test.ts
    'counters.md': ['json'],
    'lists.md': ['sh'],
    // test/e2e/mcp.test.ts
    'mcp.md': ['json', 'sh'],
    // Options of the two commands that every other test starts with.
    'warehouse.md': ['sh'],
    'personal-data.md': [],
    'rule-names.md': [],
    'sign-in.md': [],
    'faq.md': [],
    'README.md': [],
  };

  it('every sample of the guide is run by a test', () => {
    const languages = Object.fromEntries(
      readdirSync(GUIDE).map((page) => {
        const all = samplesOf(join(GUIDE, page), ['sh', 'js', 'ts', 'json', 'html', 'python', 'java', 'text', '']);
        return [
          page,
          [...new Set(all.map(({ language }) => language))].filter((language) => language !== 'text').sort(),
        ];
      }),
    );
    const expected = Object.entries({ ...RUN_HERE, ...RUN_ELSEWHERE }).map(([page, all]) => [page, [...all].sort()]);
    expect(languages).toEqual(Object.fromEntries(expected));
  });

  describe('samples in TypeScript, with the packed client', () => {
    const samples = Object.keys(RUN_HERE).flatMap((page) => samplesOf(join(GUIDE, page), ['ts']));
    let consumer: string;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      ({ consumer } = packAndInstall('client'));
      const { key } = await newAccount();
      env = {
        ...process.env,
        FRAUD_SCREENING_KEY: key,
        FRAUD_SCREENING_URL: localRun().url,
        FRAUD_SCREENING_TIMEOUT_MS: '60000',
      };
    }, patient(90_000));
    afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

    it('compile under strict, with those of the client’s own guide', () => {
      const client = samplesOf(join(ROOT, 'sdk/client/README.md'), ['ts']);
      const files = [...samples, ...client].map(({ source }, at) => {
        const name = `sample-${at}.ts`;
        // A sample without an import or export would share its names with the others.
        writeFileSync(join(consumer, name), `${source}\nexport {};\n`);
        return name;
      });
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
      const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...types, ...files], {
        cwd: consumer,
        encoding: 'utf8',
      });
      expect(stdout).toBe('');
      expect(files.length).toBeGreaterThan(8);
    });

    it.each(samples)('$heading', ({ source, prints }) => {
      expect(prints.length).toBeGreaterThan(0);
      expect(runSample(consumer, source, env)).toEqual(prints);
    });
  });

  it('the first rule, as its guide writes it, exists in shadow, and can be tested on stored traffic', async () => {
    const { key } = await newAccount();
    const env = { ...process.env, API: localRun().url, KEY: key };
    const said = samplesOf(join(GUIDE, 'rules.md'), ['sh']).map(({ source }) => {
      const { status, stdout } = spawnSync('sh', ['-ec', source], { env, encoding: 'utf8' });
      return [status, JSON.parse(stdout)];
    });
    expect(said).toEqual([
      [0, expect.objectContaining({ name: 'gift-cards', state: 'shadow' })],
      [0, expect.objectContaining({ screened: 0, matched: 0, interval: [0, 0], precision: null, examples: [] })],
    ]);
  });

  it('two minutes with curl end as the page says', async () => {
    const { key } = await newAccount();
    const terminal = openTerminal(ROOT);
    try {
      for (const { does, text } of stepsOf(join(GUIDE, 'curl.md'))) {
        if (does === 'see') {
          for (const line of text.trim().split('\n')) expect(terminal.said()).toMatch(shown(line));
          continue;
        }
        const typed = text.replace('sk_test_...', key).replace('http://localhost:3000', localRun().url);
        terminal.type(paste(typed, terminal.said()));
        await terminal.prompt(60_000);
      }
    } finally {
      await terminal.close();
    }
  }, 240_000);

  it('the import of Amazon Fraud Detector’s file, as the migration guide says it', async () => {
    const house = mkdtempSync(join(tmpdir(), 'migration-'));
    const terminal = openTerminal(ROOT);
    const here = (text: string): string => text.replaceAll('.local/', `${house}/`);
    try {
      for (const { does, text } of stepsOf(join(GUIDE, 'migration.md'))) {
        if (does === 'save') writeFileSync(join(house, 'mapping.json'), text);
        else if (does === 'see')
          for (const line of text.trim().split('\n')) expect(terminal.said()).toMatch(shown(here(line)));
        else {
          terminal.type(here(text));
          await terminal.prompt(240_000);
        }
      }
      const candidates = terminal.said().match(/Written to \S+/g) ?? [];
      expect(candidates).toHaveLength(2);
      // The second file of options took effect: what it ignores is no attribute any more.
      const [first = '', second = ''] = terminal.said().split(/^Written to /m);
      expect([first.includes('attributes.customer_job'), second.includes('attributes.customer_job')]).toEqual([
        true,
        false,
      ]);
    } finally {
      await terminal.close();
      rmSync(house, { recursive: true });
    }
  }, 600_000);
});

describe('quickstart', () => {
  const ROOT = join(__dirname, '../..');
  const PATIENCE_MS = 240_000;
  const house = mkdtempSync(join(tmpdir(), 'newcomer-'));
  const terminals = new Map<number, Terminal>();
  // A newcomer has no assembly from anybody: `npm start` makes its own here.
  const { LOCAL_ASSEMBLY: _, ...without } = process.env;
  const newcomer = { ...without, ...GENEROUS_BUDGETS };

  afterAll(async () => {
    // The service last: the listener removes its endpoint on the way out.
    for (const [, terminal] of [...terminals].sort(([a], [b]) => b - a)) await terminal.close();
    rmSync(house, { recursive: true, force: true });
  }, patient(90_000));

  /** All that is changed of what the guide says: packages are there, ports and folders are the test's own. */
  function adapt(text: string, servicePort: number, receiverPort: number): string {
    const data = join(house, 'data');
    return text
      .replace(/^npm ci$/m, '')
      .replace('npm start -- ', `npm start -- --port ${servicePort} --in-memory --data-dir ${data} `)
      .replace('npm run listen -- ', `npm run listen -- --port 0 --data-dir ${data} `)
      .replaceAll('localhost:3000', `localhost:${servicePort}`)
      .replaceAll('localhost:4000', `localhost:${receiverPort}`)
      .replaceAll('listen(4000', `listen(${receiverPort}`)
      .replaceAll('../my-shop', join(house, 'my-shop'));
  }

  function terminal(number: number): Terminal {
    const open = terminals.get(number) ?? openTerminal(ROOT, newcomer);
    terminals.set(number, open);
    return open;
  }

  const everythingSaid = (): string => [...terminals.values()].map((each) => each.said()).join('\n');

  async function follow({ does, text, ...step }: Step, next: Step | undefined): Promise<void> {
    const here = terminal(step.terminal);
    if (does === 'see') {
      for (const line of text.trim().split('\n')) await here.until(shown(line), PATIENCE_MS);
    } else if (does === 'save') {
      const [, name = ''] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      writeFileSync(join(house, 'my-shop', name), text);
    } else {
      here.type(paste(text, everythingSaid()));
      // Commands that show something may go on running; any other must end well before the next step.
      if (next?.does !== 'see' || next.terminal !== step.terminal) await here.prompt(PATIENCE_MS);
    }
  }

  it('a newcomer follows README, quickstart and integration guide in one run, to a verified webhook', async () => {
    const [servicePort, receiverPort] = [await freePort(), await freePort()];
    const [start, running, ...quickstart] = stepsOf(join(ROOT, 'docs/guide/quickstart.md')) as [Step, Step, ...Step[]];
    const first = stepsOf(join(ROOT, 'README.md')).find(({ text }) => text.includes('curl -s')) as Step;
    const steps = [start, running, { ...first, terminal: 2 }, ...quickstart].map((step) => ({
      ...step,
      text: adapt(step.text, servicePort, receiverPort),
    }));
    expect(steps.filter(({ does }) => does === 'run').length).toBeGreaterThan(5);
    for (const [at, step] of steps.entries()) await follow(step, steps[at + 1]);

    // The guide shows the resolution; what else is told of it comes in any order.
    await terminal(4).until(/^verified decision\.reviewed block/m, PATIENCE_MS);
    const received = terminal(4)
      .said()
      .split('\n')
      .filter((line) => /^(verified|refused) /.test(line));
    expect(received.sort()).toEqual([
      'verified case.created open',
      'verified case.resolved rejected',
      'verified decision.reviewed block',
      'verified event.screened allow',
      'verified transaction.screened review',
    ]);

    const [key = ''] = /sk_test_\w+/.exec(terminal(1).said()) ?? [];
    const env = { ...newcomer, FRAUD_SCREENING_KEY: key, FRAUD_SCREENING_URL: `http://localhost:${servicePort}` };
    for (const { source, prints } of samplesOf(join(ROOT, 'docs/guide/integration.md'), ['ts'])) {
      expect(runSample(join(house, 'my-shop'), source, { ...env, FRAUD_SCREENING_TIMEOUT_MS: '60000' })).toEqual(
        prints,
      );
    }
  }, 600_000);
});

describe('sdk readme', () => {
  const ROOT = join(__dirname, '../..');
  const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

  const samples = samplesOf(join(ROOT, 'sdk/client/README.md'), ['ts']);
  /** A receiver waits for what is sent to it: it is driven by a separate test. */
  const isReceiver = ({ source }: Sample): boolean => source.includes('constructEvent(');

  const body = JSON.stringify({ id: 'msg_1', type: 'case.resolved', data: { status: 'approved' } });
  const signed = (secret = SECRET): Record<string, string> => ({
    ...signatureHeaders({
      secret,
      messageId: 'msg_1',
      body: Buffer.from(body),
      timestampSeconds: Math.floor(Date.now() / 1000),
    }),
  });

  describe('samples of the client’s guide, run against the local run with the packed package', () => {
    let consumer: string;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      ({ consumer } = packAndInstall('client'));
      const { key } = await newAccount();
      const baseUrl = localRun().url;
      env = { ...process.env, FRAUD_SCREENING_KEY: key, FRAUD_SCREENING_URL: baseUrl, WEBHOOK_SECRET: SECRET };
      // One case for the sample that resolves cases.
      const client = new FraudScreening({ apiKey: key, baseUrl });
      const origin = { user_id: 'mallory', ip_address: '52.94.76.1', device_fingerprint: 'bot' };
      await client.events.screen({ ...origin, event_type: 'signup' });
      await client.transactions.screen({ ...origin, amount: 1500, currency: 'USD' });
    }, patient(90_000));
    afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

    it.each(samples.filter((sample) => !isReceiver(sample)))('$heading', ({ source, prints }) => {
      expect(prints.length).toBeGreaterThan(0);
      expect(runSample(consumer, source, env)).toEqual(prints);
    });

    const [inNode, atTheEdge, ...others] = samples.filter(isReceiver);

    it('a receiver in Node', async () => {
      const file = writeSample(consumer, 'receiver', inNode?.source ?? '');
      const port = await freePort();
      const receiver: ChildProcess = spawn(process.execPath, [file], {
        cwd: consumer,
        env: { ...env, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (!receiver.stdout) throw new Error('no stdout');
      const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
      try {
        expect((await lines.next()).value).toBe('listening');
        const post = async (headers: Record<string, string>) =>
          (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
        expect(await post(signed(`whsec_${Buffer.alloc(32, 2).toString('base64')}`))).toBe(400);
        expect(await post(signed())).toBe(204);
        expect((await lines.next()).value).toBe('ship the order');
      } finally {
        const exited = once(receiver, 'exit');
        receiver.kill();
        await exited;
      }
    });

    it('a receiver at the edge', () => {
      const edge = writeSample(consumer, 'edge', atTheEdge?.source ?? '');
      const request = JSON.stringify({ method: 'POST', headers: signed(), body });
      const drive = writeSample(
        consumer,
        'drive',
        `import worker from './${edge}';
      const answer = async (secret: string) => {
        const response = await worker.fetch(new Request('https://example.com', ${request}), { WEBHOOK_SECRET: secret });
        console.log(response.status, await response.text());
      };
      await answer('${SECRET}');
      await answer('whsec_AAAA');`,
      );
      const { stdout } = spawnSync(process.execPath, [drive], { cwd: consumer, encoding: 'utf8' });
      expect(stdout.trimEnd().split('\n')).toEqual(['200 {"received":"msg_1"}', '400']);
      expect(others).toEqual([]);
    });
  });
});

describe('leaving Amazon Fraud Detector', () => {
  const ROOT = join(__dirname, '../..');
  const GUIDE = join(ROOT, 'docs/guide/leave-fraud-detector.md');
  let key: string;
  let house: string;
  beforeAll(async () => {
    ({ key } = await newAccount('fraud detector'));
    mkdirSync(join(ROOT, '.local'), { recursive: true });
    // Inside the repository, where Amazon's client is installed.
    house = mkdtempSync(join(ROOT, '.local/afd-'));
  });
  afterAll(() => rmSync(house, { recursive: true }));

  it('changes one line of the client', () => {
    const [sample] = samplesOf(GUIDE, ['js']);
    writeFileSync(join(house, 'sample.mjs'), sample?.source ?? '');
    const { stdout } = spawnSync(process.execPath, ['sample.mjs'], {
      cwd: house,
      env: { ...process.env, FRAUD_SCREENING_KEY: key, FRAUD_SCREENING_URL: localRun().url },
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual(sample?.prints);
  });

  it(
    'has commands that say what it shows',
    () => {
      let said = '';
      const here = (text: string): string => text.replaceAll('.local/', `${house}/`);
      for (const { does, text } of stepsOf(GUIDE)) {
        if (does === 'run') {
          const { stdout, stderr } = spawnSync('sh', ['-c', here(text)], { cwd: ROOT, encoding: 'utf8' });
          said += stdout + stderr;
        } else if (does === 'see') {
          for (const line of text.trim().split('\n')) expect(said).toMatch(shown(here(line)));
        }
      }
    },
    patient(240_000),
  );
});
