import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON_SYNC_FILES, pythonSync, withoutAsync } from '../../bin/sdk/python-sync';
import { PYTHON_TYPES_FILE, pythonTypes } from '../../bin/sdk/python-types';
import { API_VERSION, FraudScreening } from '../../sdk/client/src';
import { VERSION } from '../../sdk/client/src/version';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { ROUTES } from '../../shared/routes';

const ROOT = join(__dirname, '../..');
const CLIENT = join(ROOT, 'sdk/client');

describe('the client', () => {
  it('has fresh types: run `npm run sdk:types` after changing a route or schema', () => {
    // In a separate process: the compiler's formatter loads itself in a way that jest has no part in.
    const args = ['--import', 'tsx', join(ROOT, 'bin/write-sdk-types.ts'), '--print'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect(stdout || stderr).toBe(readFileSync(join(CLIENT, 'src/types.d.ts'), 'utf8'));
  });

  it('has fresh types in Python, too', () => {
    expect(readFileSync(PYTHON_TYPES_FILE, 'utf8')).toBe(pythonTypes());
  });

  it.each(PYTHON_SYNC_FILES)('has a fresh sync client in Python: $file', ({ source, file }) => {
    expect(readFileSync(file, 'utf8')).toBe(pythonSync(source));
  });

  it('is made sync in Python without a word of waiting', () => {
    const source = 'async with pool:\n    return [await each.run() async for each in AsyncPages(_async_client)]\n';
    expect(withoutAsync(source)).toBe('with pool:\n    return [each.run() for each in Pages(_client)]\n');
    expect(PYTHON_SYNC_FILES.map(({ file }) => readFileSync(file, 'utf8')).join()).not.toMatch(
      /\bawait\b|Async[A-Z]|asyncio/,
    );
  });

  it('has a call for every route that needs a key, and calls no other', async () => {
    const called: string[] = [];
    const client = new FraudScreening({
      apiKey: ['sk', 'test', 'x'].join('_'),
      baseUrl: 'http://localhost',
      runtime: {
        fetch: async (input, init) => {
          called.push(`${init?.method} ${new URL(String(input)).pathname}`);
          return new Response('{}');
        },
      },
    });
    await client.transactions.screen({ user_id: 'u', amount: 1, currency: 'EUR' });
    await client.transactions.get('ID');
    await client.transactions.addReferences('ID', { references: ['r'] });
    await client.events.screen({ user_id: 'u', event_type: 'login' });
    await client.users.riskProfile('ID');
    await client.users.links('ID');
    await client.users.export('ID');
    await client.users.erase('ID');
    await client.users.erasure('ID');
    await client.users.forgetLabels('ID', 'stolen');
    await client.decisions.list({ user_id: 'u' });
    await client.decisions.get('ID');
    await client.decisions.evidence('ID');
    await client.decisions.review('ID', { decision: 'allow' });
    await client.cases.list();
    await client.cases.get('ID');
    await client.cases.resolve('ID', { status: 'approved' });
    await client.outcomes.record({ type: 'chargeback', source_id: 's', occurred_at: '2026-11-14' });
    await client.rules.put('ID', { expression: 'score > 5', action: 'review' });
    await client.rules.list();
    await client.rules.get('ID');
    await client.rules.versions('ID');
    await client.rules.test({ expression: 'score > 5', action: 'review' });
    await client.rules.delete('ID');
    await client.attributes.put('ID', { type: 'number' });
    await client.attributes.list();
    await client.attributes.delete('ID');
    await client.eventTypes.put('ID', {});
    await client.eventTypes.list();
    await client.eventTypes.delete('ID');
    await client.counters.put('ID', { of: ['login'], count: 'attempts', by: ['user_id'], window: '1h' });
    await client.counters.list();
    await client.counters.get('ID');
    await client.counters.delete('ID');
    await client.cases.claim('ID');
    await client.cases.release('ID');
    await client.cases.comment('ID', { text: 'seen' });
    await client.cases.timeline('ID');
    await client.cases.resolveAll({ case_ids: ['ID'], status: 'approved' });
    await client.keys.me();
    await client.keys.list();
    await client.rules.getTest('ID');
    await client.lists.put('ID', { type: 'user_id', effect: 'block' });
    await client.lists.list();
    await client.lists.get('ID');
    await client.lists.delete('ID');
    await client.lists.addEntries('ID', { entries: [{ value: 'u' }] });
    await client.lists.entries('ID');
    await client.lists.deleteEntry('ID', 'ID');
    await client.overview.get();
    await client.webhooks.create({ url: 'https://example.com', events: ['case.created'] });
    await client.webhooks.list();
    await client.webhooks.delete('ID');
    await client.webhooks.test('ID');
    await client.deliveries.list('ID');
    await client.deliveries.redeliver('ID', 'ID');

    const routes = ROUTES.filter((route) => !('public' in route)).map(
      ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, 'ID')}`,
    );
    expect(called.toSorted()).toEqual(routes.toSorted());
  });

  it('pins the newest version of the API, and says its own', () => {
    expect(API_VERSION).toBe(NEWEST_API_VERSION);
    expect(JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')).version).toBe(VERSION);
  });
});
