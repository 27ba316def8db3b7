import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parse, stringify } from 'yaml';
import { readPolicyFile, SECTION_NAMES } from '../../shared/cli/policy-file';
import { localClient } from '../../shared/runtime/admin-wiring';
import { counterStore } from '../../shared/store/counters/counter-store';
import { call, newAccount } from '../support/api';
import { samplesOf } from '../support/docs/readme-samples';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';
import { emptyTable } from '../support/stores/empty-table';
import { recountedMonth } from '../support/traffic/counted-month';

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/guide/counters.md');

interface Recipe {
  readonly title: string;
  readonly policy: Readonly<Record<string, object>>;
  /** Its request as it is written, `{n}` and all. */
  readonly request: string;
  /** Likewise, the answer of the processor after each. */
  readonly outcome: string | undefined;
  readonly stoppedAt: number;
}

/** The recipes of the guide: a part of a policy file, a request, and which one is stopped. */
function recipes(): Recipe[] {
  const [, part = ''] = readFileSync(PAGE, 'utf8').split('## Eleven recipes');
  const samples = samplesOf(PAGE, ['yaml', 'json']);
  return part
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const title = text.split('\n')[0] ?? '';
      const [policy, request, outcome] = samples.filter(({ heading }) => heading === title);
      const stoppedAt = Number(/^Stopped at (\d+)\.$/m.exec(text)?.[1]);
      const written = { policy: parse(policy?.source ?? ''), request: request?.source ?? '', outcome: outcome?.source };
      return { title, ...written, stoppedAt };
    });
}

const ALL = recipes();

/** All recipes in one file, as an account would have them. */
const wholePolicy = (): string =>
  stringify(
    Object.fromEntries(
      SECTION_NAMES.filter((section) => ALL.some(({ policy }) => policy[section])).map((section) => [
        section,
        Object.assign({}, ...ALL.map(({ policy }) => policy[section] ?? {})),
      ]),
    ),
  );

let key: string;
let folder: string;

/** The command as a person types it, without npm's second and a half. */
function rules(command: string): { readonly status: number | null; readonly said: string } {
  const args = ['--import', 'tsx', 'bin/rules.ts', command, join(folder, 'policy.yaml')];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...args, '--key-file', join(folder, 'key'), '--url', localRun().url],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return { status, said: stdout + stderr };
}

jest.setTimeout(patient(60_000));

beforeAll(async () => {
  ({ key } = await newAccount());
  folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  writeFileSync(join(folder, 'key'), key);
  writeFileSync(join(folder, 'policy.yaml'), wholePolicy());
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(
  [PAGE, ...['rules.md', 'leave-fraud-detector.md'].map((page) => join(ROOT, 'docs/guide', page))].flatMap((page) =>
    samplesOf(page, ['yaml'])
      .filter(({ source }) => /^(rules|event_types):/m.test(source))
      .map(({ heading, source }) => [heading, source] as const),
  ),
)('the file of "%s" has no faults', async (_, source) => {
  expect(await readPolicyFile(source)).toHaveProperty('policy');
});

it('the policy file is applied once, and nothing is left to apply', () => {
  expect(ALL).toHaveLength(11);
  const checked = '2 attributes, 3 event types, 10 counters, 11 rules: no faults.\n';
  expect(rules('check')).toEqual({ status: 0, said: checked });
  expect(rules('apply')).toMatchObject({
    status: 0,
    said: expect.stringMatching(/\+ counters.cards_per_email: \{.*\d+ written, 0 deleted\.\n$/s),
  });
  expect(rules('diff')).toEqual({ status: 0, said: 'No differences.\n' });
});

it.each(ALL.map((recipe) => [recipe.title, recipe] as const))(
  '%s',
  async (_, { policy, request, outcome, stoppedAt }) => {
    const [[rule, { action }] = ['', { action: '' }]] = Object.entries(
      policy.rules as Record<string, { action: string }>,
    );
    const [counter] = Object.keys(policy.counters ?? {});
    const seen: number[] = [];
    for (let n = 1; n <= stoppedAt; n++) {
      const body = JSON.parse(request.replaceAll('{n}', String(n)));
      const path = body.event_type ? '/v1/events' : '/v1/transactions/screen';
      const { status, json } = await call('POST', path, { key, body });
      expect([status, json.error]).toEqual([200, undefined]);
      const decided = { rules: json.rules.map(({ name }: { readonly name: string }) => name), decision: json.decision };
      if (n < stoppedAt) expect(decided.rules).not.toContain(rule);
      else expect(decided).toEqual({ rules: expect.arrayContaining([rule]), decision: action });
      if (outcome !== undefined) {
        const said = { ...JSON.parse(outcome.replaceAll('{n}', String(n))), subject_id: json.transaction_id };
        expect((await call('POST', '/v1/outcomes', { key, body: said })).json.applied).toBe(true);
      }
      if (counter === undefined) continue;
      seen.push((await call('GET', `/v1/decisions/${json.decision_id}`, { key })).json.counters[counter]);
    }
    if (counter === undefined) return;
    // Every decision shows what was counted: it rises to the last one, which is over the limit.
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBe(stoppedAt);
  },
);

it('a month on the table is counted as a plain script counts it', async () => {
  const onceClient = new DynamoDBClient(localClient(localRun()));
  const counters = counterStore({ onceClient, name: (await emptyTable()).name });
  const patiently: typeof counters = {
    ...counters,
    count: (account, plan, attempt) => counters.count(account, plan, attempt, patient(30_000)),
  };
  const { wrong, numbers } = await recountedMonth(80, patiently);
  expect([wrong.length, wrong.slice(0, 10)]).toEqual([0, []]);
  expect(numbers).toBeGreaterThan(600);
});

it('nothing that rules need is deleted by hand, and everything by an empty file', async () => {
  const { status, json } = await call('DELETE', '/v1/counters/cards_per_email', { key });
  expect([status, json.error.code]).toEqual([409, 'in_use']);
  expect(json.error.message).toContain('rule cards-per-email');
  writeFileSync(join(folder, 'policy.yaml'), SECTION_NAMES.map((section) => `${section}: {}`).join('\n'));
  expect(rules('apply')).toMatchObject({ status: 0, said: expect.stringContaining('0 written') });
  expect((await call('GET', '/v1/counters', { key })).json.counters).toEqual([]);
});
