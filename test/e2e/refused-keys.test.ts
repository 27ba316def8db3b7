import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlarmStatus } from '../../local/cloudwatch/alarm-states';
import { newApiKey } from '../../shared/domain/accounts/api-key';
import { createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';

const STRANGERS = 1_000;
const AT_ONCE = 20;

const alarms = async (): Promise<AlarmStatus[]> =>
  (await (await fetch(`${localRun().url}/_local/alarms`)).json()) as AlarmStatus[];
const stateOf = (all: readonly AlarmStatus[], id: string) => all.find(({ name }) => name.endsWith(`-${id}`))?.state;
const refusals = (): number =>
  readFileSync(join(localRun().dataDir, 'logs', 'Authorize.log'), 'utf8').split('"outcome":"refused"').length - 1;

describe('keys that are refused', () => {
  it(
    'are not crashes: a thousand bad keys set off no alarm that would page or take a deployment back',
    async () => {
      const keys = Array.from({ length: STRANGERS }, () => newApiKey('sandbox', randomBytes));
      const statuses = new Set<number>();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let key = keys.pop(); key; key = keys.pop()) {
            statuses.add((await call('GET', '/v1/webhooks', { key })).status);
          }
        }),
      );
      expect([...statuses]).toEqual([401]);
      const now = await alarms();
      expect([stateOf(now, 'crashed-authorize'), stateOf(now, 'unhandled-errors')]).toEqual(['OK', 'OK']);
    },
    patient(90_000),
  );

  it('are remembered by the gateway: the same bad key asks the authorizer once', async () => {
    const { account_id } = await newAccount();
    const { key, record } = await createKey(admin(), account_id, null);
    await revokeKey(admin(), account_id, record.key_id);
    const before = refusals();
    for (let time = 0; time < 3; time += 1) {
      const { status, json } = await call('GET', '/v1/webhooks', { key });
      expect([status, json.error.code]).toEqual([401, 'unauthorized']);
    }
    expect(refusals() - before).toBe(1);
  });
});
