import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../shared/runtime/admin-wiring';
import { changeSettings, createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';

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
