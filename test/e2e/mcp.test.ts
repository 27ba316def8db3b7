import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { FraudScreening } from '../../sdk/client/src';
import { newAccount } from '../support/api';
import { samplesOf } from '../support/docs/readme-samples';
import { localRun } from '../support/local-run';
import { packAndInstall } from '../support/packed-sdk';
import { patient } from '../support/patience';

const ROOT = join(__dirname, '../..');
/** A call of a tool, and the answer. */
interface Turn {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly said: string;
  readonly isError: boolean;
}

/** The example in the tool's own description. */
const RULE = { expression: 'amount > 1000 && features.user_age_days < 1', action: 'review' };

describe('the MCP server as it is published, over standard input and output', () => {
  let consumer: string;
  let bin: string;
  let env: Record<string, string>;
  let caseId: string;
  beforeAll(async () => {
    const installed = packAndInstall('mcp');
    consumer = installed.consumer;
    bin = join(installed.packed, 'dist/bin/index.js');
    // The dependencies that npm would install.
    mkdirSync(join(consumer, 'node_modules/@modelcontextprotocol'));
    for (const name of ['@modelcontextprotocol/sdk', 'zod']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(consumer, 'node_modules', name));
    }
    expect(installed.files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist/bin/index.js', 'package.json']);
    const { key } = await newAccount();
    env = { FRAUD_SCREENING_KEY: key, FRAUD_SCREENING_URL: localRun().url };
    const fraud = new FraudScreening({
      apiKey: key,
      baseUrl: localRun().url,
      timeoutMs: 30_000,
      attemptTimeoutMs: 20_000,
    });
    const origin = { user_id: 'mallory', ip_address: '52.94.76.1', device_fingerprint: 'bot' };
    await fraud.events.screen({ ...origin, event_type: 'signup' });
    caseId = (await fraud.transactions.screen({ ...origin, amount: 1500, currency: 'USD' })).case_id ?? '';
  }, patient(90_000));
  afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

  async function converse(args: readonly string[], run: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, ...args], env }));
    try {
      await run(client);
    } finally {
      await client.close();
    }
  }

  const take = async (client: Client, turn: Omit<Turn, 'said' | 'isError'>): Promise<Turn> => {
    const { content, isError } = await client.callTool({ name: turn.tool, arguments: turn.input });
    return { ...turn, said: (content as { text: string }[])[0]?.text ?? '', isError: isError === true };
  };

  it('answers, tests rules and proposes, but does not decide', async () => {
    const turns: Turn[] = [];
    await converse([], async (client) => {
      expect(JSON.stringify(await client.listTools())).toContain(`such as ${RULE.expression}.`);
      for (const turn of [
        { tool: 'find_cases', input: { status: 'open' } },
        { tool: 'get_case', input: { case_id: caseId } },
        { tool: 'get_user', input: { user_id: 'mallory' } },
        { tool: 'get_links', input: { user_id: 'mallory' } },
        { tool: 'list_decisions', input: { user_id: 'mallory' } },
        {
          tool: 'test_rule',
          input: { ...RULE, days: 7 },
        },
        { tool: 'propose_rule', input: { name: 'large', ...RULE, note: 'From a case' } },
        { tool: 'get_user', input: { user_id: 'nobody' } },
        {
          tool: 'resolve_case',
          input: { case_id: caseId, status: 'rejected', analyst_id: 'ann' },
        },
      ]) {
        turns.push(await take(client, turn));
      }
    });
    expect(turns.map(({ tool, isError }) => [tool, isError])).toEqual([
      ...['find_cases', 'get_case', 'get_user', 'get_links', 'list_decisions', 'test_rule', 'propose_rule'].map(
        (tool) => [tool, false],
      ),
      ['get_user', true],
      ['resolve_case', true],
    ]);
    const [found, shown] = turns.map(({ said, isError }) => (isError ? undefined : JSON.parse(said)));
    expect(found.cases).toMatchObject([{ case_id: caseId, status: 'open' }]);
    expect(shown).toMatchObject({ case: { case_id: caseId }, explanation: { contributions: expect.any(Array) } });
    expect(shown.explanation.contributions.length).toBeGreaterThan(0);
    expect(JSON.parse(turns[6]?.said ?? '')).toMatchObject({ name: 'large', state: 'draft' });
    expect(JSON.stringify(turns)).not.toContain(env.FRAUD_SCREENING_KEY);
  });

  it('decides when it was started to, as the guide configures it', async () => {
    const [reading, deciding] = samplesOf(join(ROOT, 'docs/guide/mcp.md'), ['json']).map(
      ({ source }) => JSON.parse(source).mcpServers['fraud-screening'],
    );
    for (const { command, env: named } of [reading, deciding]) {
      expect([command, Object.keys(named)]).toEqual(['node', Object.keys(env).toReversed()]);
    }
    expect(reading.args).toEqual(['/path/to/clone/sdk/mcp/dist/bin/index.js']);
    await converse(deciding.args.slice(1), async (client) => {
      const input = { case_id: caseId, status: 'rejected', analyst_id: 'ann' };
      const resolved = await take(client, { tool: 'resolve_case', input });
      expect(JSON.parse(resolved.said)).toMatchObject({ case_id: caseId, status: 'rejected', resolved_by: 'ann' });
      const again = await take(client, { tool: 'resolve_case', input: { ...input, status: 'approved' } });
      expect([again.isError, again.said]).toEqual([true, expect.stringMatching(/^case_not_open: .+ Read the case/)]);
    });
  });

  it('explains a wrong start in one sentence, without the key', () => {
    const start = (args: readonly string[], given: Record<string, string>) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env: given, encoding: 'utf8' });
      return { status, stdout, stderr };
    };
    const failed = (stderr: string) => ({ status: 1, stdout: '', stderr: `${stderr}\n` });
    const wrong = ['no', 'key'].join('_');
    expect(start([], {})).toEqual(failed('Set FRAUD_SCREENING_URL or --url to the ApiUrl of your deployment.'));
    expect(start(['--key', wrong], env)).toEqual(failed('apiKey must be a key such as sk_test_…'));
    expect(start(['--help'], {})).toMatchObject({ status: 0, stdout: expect.stringContaining('--allow-decisions') });
  });
});
