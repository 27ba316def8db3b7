import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAccount } from '../support/api';
import { paste, shown, stepsOf } from '../support/guide-steps';
import { localRun } from '../support/local-run';
import { packAndInstall } from '../support/packed-sdk';
import { patient } from '../support/patience';
import { samplesOf } from '../support/readme-samples';
import { runSample } from '../support/run-sample';
import { openTerminal } from '../support/terminal';

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
  'lists.md': ['sh'],
  // test/e2e/mcp.test.ts
  'mcp.md': ['json', 'sh'],
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
      return [page, [...new Set(all.map(({ language }) => language))].filter((language) => language !== 'text').sort()];
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
