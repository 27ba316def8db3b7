import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartOptions } from '../../../sdk/mcp/src/start-options';
import { errorStep, type Seen, type Step } from '../../support/machine/scripted-server';
import { conversing, KEY } from './mcp-under-test';

describe('tools', () => {
  const ok = (body: unknown): Step => ({ status: 200, body });
  const READING = ['find_cases', 'get_case', 'get_user', 'get_links', 'list_decisions', 'get_decision', 'test_rule'];
  const DECIDING = ['resolve_case', 'review_decision', 'activate_rule'];
  const RULE = { expression: 'amount > 500', action: 'review' };
  const STORED = {
    ...{ name: 'large', ...RULE, points: null, priority: 7, state: 'draft', rollout_percent: 25, version: 3 },
    ...{ applies_to: ['transaction'], expires_at: null, note: 'why', override_labels: false },
  };

  it('offers nothing that decides unless it was allowed', async () => {
    await conversing([ok({})], async ({ client, call, requests }) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([...READING, 'propose_rule']);
      const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
      expect(changing.map(({ name }) => name)).toEqual(['propose_rule']);
      for (const name of DECIDING) expect((await call(name, { case_id: 'c', id: 'd', name: 'r' })).isError).toBe(true);
      expect(requests).toEqual([]);
    });
    await conversing(
      [ok({})],
      async ({ client }) => {
        const { tools } = await client.listTools();
        const deciding = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
        expect(deciding.map(({ name }) => name)).toEqual(DECIDING);
      },
      true,
    );
  });

  it('shows a case together with the explanation of its decision, as compact JSON', async () => {
    const explanation = { base: 5, contributions: [{ signal: 'new_device', points: 60, detail: 'First use' }] };
    const decision = {
      decision_id: 'dec_1',
      explanation,
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
    };
    const answer = ({ path }: Seen): Step =>
      ok(path.startsWith('/v1/cases/') ? { case_id: 'case_1', subject_id: 'txn_1' } : { ...decision, user_id: 'u' });
    await conversing(answer, async ({ call, requests }) => {
      const { text, isError } = await call('get_case', { case_id: 'case_1' });
      expect(isError).toBe(false);
      expect(text).toBe(JSON.stringify({ case: { case_id: 'case_1', subject_id: 'txn_1' }, ...reordered(decision) }));
      expect(requests.map(({ path }) => path)).toEqual(['/v1/cases/case_1', '/v1/decisions/txn_1']);
    });
  });

  const reordered = ({ decision_id, decided_by, explanation, rules, lists }: Record<string, unknown>) => ({
    ...{ decision_id, decided_by, explanation, rules, lists },
  });

  it.each([
    ['find_cases', { status: 'open', limit: 5 }, 'GET /v1/cases?status=open&sort=newest&limit=5'],
    ['get_user', { user_id: 'a/b' }, 'GET /v1/users/a%2Fb/risk-profile'],
    ['get_links', { user_id: 'u' }, 'GET /v1/users/u/links'],
    ['list_decisions', { user_id: 'u' }, 'GET /v1/decisions?user_id=u&limit=20'],
    ['list_decisions', { decision: 'block' }, 'GET /v1/decisions?decision=block&limit=20'],
    ['get_decision', { id: 'dec_1' }, 'GET /v1/decisions/dec_1'],
    ['test_rule', { ...RULE, days: 7 }, 'POST /v1/rules/test'],
  ])('%s %j asks the API for %s', async (name, input, asked) => {
    await conversing([ok({ fine: true })], async ({ call, requests }) => {
      expect(await call(name, input)).toEqual({ text: '{"fine":true}', isError: false });
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([asked]);
    });
  });

  describe('a proposed rule', () => {
    it('is a draft', async () => {
      await conversing([errorStep(404, 'not_found'), ok(STORED)], async ({ call, requests }) => {
        expect((await call('propose_rule', { name: 'large', ...RULE })).isError).toBe(false);
        expect(requests[1]).toMatchObject({ method: 'PUT', path: '/v1/rules/large' });
        expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ ...RULE, state: 'draft' });
      });
    });

    it('changes a draft only in the version that was read', async () => {
      await conversing([ok(STORED)], async ({ call, requests }) => {
        await call('propose_rule', { name: 'large', ...RULE });
        expect(requests[1]?.headers['if-match']).toBe('"3"');
      });
    });

    it.each(['shadow', 'active', 'paused'])('never replaces a rule that is %s', async (state) => {
      await conversing([ok({ ...STORED, state })], async ({ call, requests }) => {
        const { text, isError } = await call('propose_rule', { name: 'large', ...RULE });
        expect([text, isError]).toEqual([
          `The rule large exists and is ${state}. Propose it under another name.`,
          true,
        ]);
        expect(requests.map(({ method }) => method)).toEqual(['GET']);
      });
    });
  });

  describe('with --allow-decisions', () => {
    it('a rule is activated as it was reviewed', async () => {
      const run = async ({ call, requests }: Parameters<Parameters<typeof conversing>[1]>[0]) => {
        await call('activate_rule', { name: 'large', version: 3 });
        const { name: _name, version: _version, ...definition } = STORED;
        expect(requests[1]?.headers['if-match']).toBe('"3"');
        expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ ...definition, state: 'active' });
      };
      await conversing([ok(STORED)], run, true);
    });

    it.each([
      ['resolve_case', { case_id: 'c', status: 'rejected' }, 'PUT /v1/cases/c'],
      ['review_decision', { id: 'd', decision: 'block' }, 'POST /v1/decisions/d/review'],
    ])('%s names the person', async (name, input, asked) => {
      const run = async ({ call, requests }: Parameters<Parameters<typeof conversing>[1]>[0]) => {
        expect((await call(name, input)).isError).toBe(true);
        expect(requests).toEqual([]);
        expect((await call(name, { ...input, analyst_id: 'ann' })).isError).toBe(false);
        expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([asked]);
        expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ analyst_id: 'ann' });
      };
      await conversing([ok({})], run, true);
    });
  });

  describe('a failure', () => {
    it.each([
      [errorStep(401, 'unauthorized'), 'Set FRAUD_SCREENING_KEY'],
      [errorStep(403, 'forbidden'), 'a key whose role does'],
      [errorStep(404, 'not_found'), 'Check the ID'],
      [errorStep(429, 'rate_limited'), 'Wait a minute'],
      ['reset' as const, 'Check FRAUD_SCREENING_URL'],
      [{ status: 200, body: '<html>' }, 'something else answers there'],
    ])('%j says what to change', async (step, advice) => {
      await conversing([step], async ({ call }) => {
        const { text, isError } = await call('get_user', { user_id: 'u' });
        expect([isError, text]).toEqual([true, expect.stringContaining(advice)]);
      });
    });

    it('names a missing input', async () => {
      await conversing([ok({})], async ({ call, requests }) => {
        const { text, isError } = await call('get_case');
        expect([isError, text]).toEqual([true, expect.stringContaining('case_id')]);
        expect(requests).toEqual([]);
      });
    });
  });

  it('never repeats the key, even if the service does', async () => {
    const steps: Step[] = [
      ok({ echo: KEY }),
      { status: 400, body: { error: { code: 'invalid_request', message: KEY } } },
    ];
    await conversing(steps, async ({ call }) => {
      expect((await call('get_user', { user_id: 'u' })).text).toBe('{"echo":"[key]"}');
      expect((await call('get_user', { user_id: 'u' })).text).toBe('invalid_request: [key]');
    });
  });

  it('depends on the packages that the project pins, and on nothing else', () => {
    const manifest = (path: string) => JSON.parse(readFileSync(join(__dirname, '../../..', path), 'utf8'));
    const root = manifest('package.json');
    const { dependencies, engines } = manifest('sdk/mcp/package.json');
    const pinned = { ...root.dependencies, ...root.devDependencies };
    expect(Object.keys(dependencies)).toEqual(['@modelcontextprotocol/sdk', 'zod']);
    for (const [name, version] of Object.entries(dependencies)) expect([name, version]).toEqual([name, pinned[name]]);
    expect(engines).toEqual(root.engines);
  });
});

describe('start options', () => {
  const KEY = ['sk', 'test', 'c'.repeat(38)].join('_');
  const env = { FRAUD_SCREENING_KEY: KEY, FRAUD_SCREENING_URL: 'https://api.example.com' };

  it('reads the environment, and flags before it', () => {
    const read = { apiKey: KEY, baseUrl: env.FRAUD_SCREENING_URL, allowDecisions: false };
    expect(readStartOptions([], env)).toEqual(read);
    expect(readStartOptions(['--url', 'http://localhost:3000', '--key', 'other', '--allow-decisions'], env)).toEqual({
      ...{ apiKey: 'other', baseUrl: 'http://localhost:3000', allowDecisions: true },
    });
    expect(readStartOptions(['--help'], {})).toBeUndefined();
  });

  it('says what is missing', () => {
    expect(() => readStartOptions([], { FRAUD_SCREENING_KEY: KEY })).toThrow('Set FRAUD_SCREENING_URL or --url');
    expect(() => readStartOptions([], { FRAUD_SCREENING_URL: 'x' })).toThrow('Set FRAUD_SCREENING_KEY');
  });

  it.each([[[KEY]], [['--kee', KEY]], [[`--kee=${KEY}`]], [[`--${KEY}`]]])(
    'does not repeat what it does not know',
    (args) => {
      expect(() => readStartOptions(args, env)).toThrow(/^Unknown or incomplete option\. Use --url, .+ or --help\.$/);
    },
  );
});
