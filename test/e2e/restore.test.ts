import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { exportTable, importTable } from '../../bin/admin/backup/copy-table';
import { localClient } from '../../shared/runtime/admin-wiring';
import { reconnectAccount } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { startHere } from '../support/time-machine';

/** The secret of the run under test, as an operator reads and writes it. */
function secretsOfStage() {
  const client = new SecretsManagerClient(localClient(localRun()));
  const SecretId = localRun().outputs.DataKeySecretId;
  return {
    read: async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString,
    write: (SecretString: string | undefined) => client.send(new PutSecretValueCommand({ SecretId, SecretString })),
  };
}

const directory = mkdtempSync(join(tmpdir(), 'restore-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('an empty stack is given a backup, and answers the old key as the old one did', async () => {
  const { account_id, key } = await newAccount('moving');
  const from = { ip_address: '52.94.76.1', device_fingerprint: 'd' };
  await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id: 'hasty', ...from } });
  const body = { user_id: 'hasty', amount: 1500, currency: 'USD', ...from };
  const screened = (await call('POST', '/v1/transactions/screen', { key, body })).json;
  const paths = [
    `/v1/transactions/${screened.transaction_id}`,
    `/v1/decisions/${screened.decision_id}`,
    `/v1/cases/${screened.case_id}`,
    '/v1/cases?status=open',
    '/v1/users/hasty/risk-profile',
  ];
  const answers = async () => Promise.all(paths.map(async (path) => (await call('GET', path, { key })).json));
  const before = await answers();
  expect(before[3].total).toBe(1);

  // Other tests write to the table meanwhile: only what is this account's is exported.
  const table = admin().tableNamed(undefined);
  const own = {
    name: table.name,
    scan: async (from: Parameters<typeof table.scan>[0]) => {
      const { items, next } = await table.scan(from);
      const isOwn = (item: (typeof items)[number]) => JSON.stringify(item).includes(account_id);
      return { items: items.filter(isOwn), next };
    },
  };
  const file = join(directory, 'backup.jsonl');
  const request = { file, stage: 'sandbox', nowMs: Date.now(), onProgress: () => undefined };
  const { items } = await exportTable(own, request);
  expect(items).toBeGreaterThan(10);

  const shared = process.env.LOCAL_RUN_DIR;
  const dataDir = join(directory, 'other');
  const stageSecret = await secretsOfStage().read();
  const stop = await startHere(dataDir);
  process.env.LOCAL_RUN_DIR = dataDir;
  try {
    expect(localRun().outputs.TableName).toBeTruthy();
    // Histories are named, and webhook secrets sealed, by a secret of the stage, which is not in the table.
    await secretsOfStage().write(stageSecret);
    // In other letters than below: the gateway remembers a refusal by the very header it came with.
    const headers = { Authorization: `bearer ${key}` };
    expect((await call('GET', paths[0] ?? '', { headers })).status).toBe(401);
    const restored = await importTable(admin().tableNamed(undefined), { ...request, isOverwriting: false });
    expect(restored).toEqual({ written: items, same: 0, overwritten: 0 });
    // The key's hash came with the table; the gateway does not know the account's rate-limit key yet.
    await reconnectAccount(admin(), account_id);
    expect(await answers()).toEqual(before);
    // And it goes on from there: the history knows this user's device.
    const next = (await call('POST', '/v1/transactions/screen', { key, body: { ...body, amount: 5 } })).json;
    expect(next.signals).not.toContain('new_device');
  } finally {
    process.env.LOCAL_RUN_DIR = shared;
    await stop();
  }
}, 600_000);
