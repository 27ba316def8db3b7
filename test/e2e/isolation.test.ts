import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { newApiKey } from '../../shared/domain/accounts/api-key';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { routeDocs } from '../../shared/routes/route-docs';
import { localClient } from '../../shared/runtime/admin-wiring';
import { randomBytes } from '../../shared/runtime/ids';
import { changeSettings, createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount, type Reply } from '../support/api';
import { localRun } from '../support/local-run';

describe('isolation', () => {
  const from = { ip_address: '52.94.76.1', device_fingerprint: 'd' };

  /** An account with one of everything that has an id. */
  async function furnished() {
    const { key } = await newAccount('owner');
    await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id: 'hasty', ...from } });
    const body = { user_id: 'hasty', amount: 1500, currency: 'USD', ...from };
    const screened = (await call('POST', '/v1/transactions/screen', { key, body })).json;
    expect(screened.case_id).toMatch(/^case_/);
    const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };
    const { webhook_id } = (await call('POST', '/v1/webhooks', { key, body: endpoint })).json;
    const { transaction_id, decision_id, case_id } = screened;
    await call('PUT', '/v1/lists/vips', { key, body: { type: 'user_id', effect: 'none' } });
    await call('POST', '/v1/lists/vips/entries', { key, body: { entries: [{ value: 'hasty' }] } });
    await call('PUT', '/v1/rules/large', { key, body: { expression: 'amount > 100', action: 'review' } });
    const { erasure_id } = (await call('DELETE', '/v1/users/gone', { key })).json;
    await call('PUT', '/v1/attributes/items', { key, body: { type: 'number' } });
    await call('PUT', '/v1/event-types/redeemed', { key, body: {} });
    const counter = { of: ['transaction'], count: 'attempts', by: ['user_id'], window: '1h' };
    await call('PUT', '/v1/counters/attempts', { key, body: counter });
    const declared = { attribute: 'items', event_type: 'redeemed', counter: 'attempts' };
    // Tests over years are in the warehouse: unit/rules/rule-trial asks for another account's.
    const named = { user_id: 'hasty', list: 'vips', rule: 'large', test: String(randomUUID()), ...declared };
    return { key, ids: { transaction_id, decision_id, case_id, webhook_id, erasure_id, ...named } };
  }

  type Ids = Awaited<ReturnType<typeof furnished>>['ids'];

  /** Which id a route takes, by its path; a route whose ids are not known here fails the test that lists them. */
  const idFor = (path: string, ids: Ids): string | undefined => {
    if (path.startsWith('/v1/transactions/{')) return ids.transaction_id;
    if (path.startsWith('/v1/decisions/{')) return ids.decision_id;
    if (path.startsWith('/v1/cases/{')) return ids.case_id;
    if (path.startsWith('/v1/webhooks/{')) return ids.webhook_id;
    if (path.startsWith('/v1/users/{')) return ids.user_id;
    if (path.startsWith('/v1/lists/{')) return ids.list;
    if (path.startsWith('/v1/rules/{')) return ids.rule;
    if (path.startsWith('/v1/rule-tests/{')) return ids.test;
    if (path.startsWith('/v1/erasures/{')) return ids.erasure_id;
    if (path.startsWith('/v1/attributes/{')) return ids.attribute;
    if (path.startsWith('/v1/event-types/{')) return ids.event_type;
    if (path.startsWith('/v1/counters/{')) return ids.counter;
    return undefined;
  };
  const UNKNOWN: Ids = {
    transaction_id: 'txn_00000000000000000000000000',
    decision_id: 'dec_00000000000000000000000000',
    case_id: 'case_00000000000000000000000000',
    webhook_id: 'wh_00000000000000000000000000',
    user_id: 'nobody-at-all',
    erasure_id: 'era_00000000000000000000000000',
    list: 'no-such-list',
    rule: 'no-such-rule',
    test: 'no-such-test',
    attribute: 'no-such-attribute',
    event_type: 'no_such_type',
    counter: 'no_such_counter',
  };

  /**
   * A PUT that creates what it does not find makes a thing of the caller's own. A payment processor has no key: whatever
   * the ID, it is refused without the signature.
   */
  const withId = (ROUTES as readonly Route[]).filter(
    ({ path, operation, public: isPublic }) => path.includes('{') && !routeDocs(operation).created && !isPublic,
  );
  /** Erasing a user of whom nothing is known is no error: the answer tells nothing about them. */
  const isSilent = ({ operation }: Route): boolean => operation === 'erase-user';
  /** The first parameter is the foreign id; any behind it belongs to that thing. */
  const pathOf = ({ path }: Route, ids: Ids): string =>
    path.replace(/\{\w+\}/, idFor(path, ids) ?? '').replace(/\{\w+\}/g, 'dlv_00000000000000000000000000');
  const request = (route: Route, ids: Ids, key: string): Promise<Reply> =>
    call(route.method, pathOf(route, ids), {
      key,
      ...(route.body ? { body: routeDocs(route.operation).request ?? {} } : {}),
    });
  const withoutRequestId = ({ status, json }: Reply) => ({ status, ...json.error, request_id: '' });

  let owner: Awaited<ReturnType<typeof furnished>>;
  let stranger: string;
  beforeAll(async () => {
    owner = await furnished();
    stranger = (await newAccount('stranger')).key;
  });

  it('knows which id every route takes', () => {
    expect(withId.length).toBeGreaterThan(6);
    expect(withId.filter(({ path }) => idFor(path, UNKNOWN) === undefined)).toEqual([]);
  });

  describe.each(withId.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
    it('answers another account’s id as it answers an unknown one', async () => {
      const foreign = await request(route, owner.ids, stranger);
      const unknown = await request(route, UNKNOWN, stranger);
      if (isSilent(route)) {
        const told = [foreign, unknown].map(({ status, json }) => [status, Object.keys(json)]);
        return expect(told).toEqual([foreign, unknown].map(() => [202, ['erasure_id', 'keeps_fraud_evidence']]));
      }
      expect([foreign.status, foreign.json.error.code]).toEqual([404, 'not_found']);
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
    });

    it('answers a key of the other stage with 401, whatever the id', async () => {
      const reply = await request(route, owner.ids, newApiKey('production', randomBytes));
      expect([reply.status, reply.json.error.code]).toEqual([401, 'unauthorized']);
    });
  });

  it('nothing of this changed anything', async () => {
    const { key, ids } = owner;
    expect((await call('GET', `/v1/cases/${ids.case_id}`, { key })).json.status).toBe('open');
    expect((await call('GET', `/v1/decisions/${ids.decision_id}`, { key })).json.review).toBeNull();
    expect((await call('GET', '/v1/webhooks', { key })).json.webhooks).toHaveLength(1);
    expect((await call('GET', '/v1/lists/vips', { key })).json.entries).toBe(1);
    expect((await call('GET', '/v1/rules/large', { key })).json.version).toBe(1);
    expect((await call('GET', `/v1/users/${ids.user_id}/risk-profile`, { key })).status).toBe(200);
    for (const name of ['cases', 'webhooks', 'lists', 'rules']) {
      expect((await call('GET', `/v1/${name}`, { key: stranger })).json[name]).toEqual([]);
    }
  });
});

describe('keys and secrets', () => {
  const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };

  describe('API keys', () => {
    it('stop working when revoked, while others of the account go on', async () => {
      const { account_id, key } = await newAccount();
      const second = await createKey(admin(), account_id, 'second');
      // Revoked before it was ever used: the gateway has nothing cached, so it is refused at once.
      await revokeKey(admin(), account_id, second.record.key_id);
      expect((await call('GET', '/v1/webhooks', { key: second.key })).status).toBe(401);
      expect((await call('GET', '/v1/webhooks', { key })).status).toBe(200);
      const kept = (await admin().accounts.listKeys(account_id)).find(({ key_id }) => key_id === second.record.key_id);
      expect(kept?.revoked_at).not.toBeNull();
    });

    it('may be revoked twice', async () => {
      const { account_id, key_id } = await newAccount();
      const first = await revokeKey(admin(), account_id, key_id);
      expect(await revokeKey(admin(), account_id, key_id)).toEqual(first);
    });

    it('cannot be revoked through another account', async () => {
      const [one, other] = [await newAccount(), await newAccount()];
      await expect(revokeKey(admin(), other.account_id, one.key_id)).rejects.toMatchObject({ code: 'not_found' });
      expect((await call('GET', '/v1/webhooks', { key: one.key })).status).toBe(200);
    });
  });

  describe('account settings', () => {
    it('change, or stay as they are when the change is wrong', async () => {
      const { account_id } = await newAccount();
      await changeSettings(admin(), account_id, { review_threshold: 50, tracked_attributes: ['email'] });
      await expect(changeSettings(admin(), account_id, { review_threshold: 99 })).rejects.toMatchObject({
        code: 'invalid_request',
      });
      expect((await admin().accounts.account(account_id))?.settings).toEqual({
        review_threshold: 50,
        block_threshold: 85,
        tracked_attributes: ['email'],
      });
    });
  });

  describe('what is at rest', () => {
    it('holds no key and no signing secret in the clear: not in the table, not in any log', async () => {
      const { key } = await newAccount();
      const created = await call('POST', '/v1/webhooks', {
        key,
        body: endpoint,
        headers: { 'Idempotency-Key': randomUUID() },
      });
      const secret: string = created.json.signing_secret;
      const { outputs, dataDir } = localRun();
      const client = new DynamoDBClient(localClient(localRun()));
      let table = '';
      let from: Record<string, never> | undefined;
      do {
        const page = await client.send(
          new ScanCommand({ TableName: outputs.TableName ?? '', ...(from ? { ExclusiveStartKey: from } : {}) }),
        );
        table += JSON.stringify(page.Items);
        from = page.LastEvaluatedKey as Record<string, never> | undefined;
      } while (from);
      const logDir = join(dataDir, 'logs');
      const logs = readdirSync(logDir)
        .map((file) => readFileSync(join(logDir, file), 'utf8'))
        .join('');
      expect(logs).toContain('"operation":"create-webhook"');
      expect(table).toContain(created.json.webhook_id);
      for (const text of [table, logs]) {
        const leaks = ['whsec_', secret.slice(6), key.slice(8)].filter((clear) => text.includes(clear));
        expect(leaks).toEqual([]);
        expect(/sk_(test|live)_[0-9A-Za-z]{38}/.test(text)).toBe(false);
      }
    });
  });

  describe('npm run admin', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'bin/admin.ts', ...args], {
        cwd: join(__dirname, '../..'),
        encoding: 'utf8',
        env: { ...process.env, LOCAL_DATA_DIR: localRun().dataDir },
      });

    it('creates, lists, shows, sets and revokes', async () => {
      const created = run('accounts', 'create', 'Shop Ä');
      const account = /acc_[0-9A-Z]{26}/.exec(created.stdout)?.[0] ?? '';
      const key = /sk_test_\w{38}/.exec(created.stdout)?.[0] ?? '';
      expect((await call('GET', '/v1/webhooks', { key })).status).toBe(200);

      expect(run('accounts', 'list').stdout).toContain(`${account}`);
      const set = run('accounts', 'set', account, '--review-threshold', '40', '--tracked-attributes', 'email, phone');
      expect(set.stdout).toMatch(/review threshold +40/);
      expect(run('accounts', 'show', account).stdout).toMatch(/tracked attributes +email, phone/);

      const second = run('keys', 'create', account, '--label', 'laptop');
      const keyId = /key_[0-9A-Z]{26}/.exec(second.stdout)?.[0] ?? '';
      expect(run('keys', 'revoke', account, keyId).stdout).toContain('revoked at');
      const list = run('keys', 'list', account).stdout;
      expect(list).toContain('laptop');
      expect(list).not.toContain(key);
    });

    it.each([
      [['nonsense'], 'No command'],
      [['accounts', 'create'], 'Missing argument: new account'],
      [['accounts', 'set', 'acc_x', '--review-threshold', '1'], 'No such account in sandbox; see `accounts list`.'],
      [['accounts', 'list', '--stage', 'moon'], '--stage must be one of'],
      [['accounts', 'list', '--wrong'], 'wrong'],
    ])('%j says in one sentence what is wrong', (args, sentence) => {
      const { status, stderr } = run(...args);
      expect(status).toBe(1);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
    });
  });
});
