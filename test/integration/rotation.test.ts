import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { idempotencyClaim } from '../../shared/domain/idempotency';
import { localClient } from '../../shared/runtime/admin-wiring';
import { idempotencyStore } from '../../shared/store/idempotency-store';
import { webhookRegistrar, webhookSender } from '../../shared/store/webhooks/webhook-store';
import { reseal, sealedByVersion } from '../../shared/usecases/secrets/reseal';
import { admin } from '../support/api';
import { localRun } from '../support/local-run';

const newEndpoint = () => ({
  webhook_id: `wh_${randomUUID()}`,
  url: 'https://receiver.example/hooks',
  events: ['case.created'] as const,
  label: null,
  status: 'enabled' as const,
  created_at: '2026-11-14T00:00:00.000Z',
});

function table() {
  const { outputs } = localRun();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  return { client, name: outputs.TableName ?? '' };
}

/** The administrator's view of one account only: other tests seal, too, and with whatever key their function holds. */
function dataKeyOf(accountId: string) {
  const { dataKey } = admin();
  async function* all() {
    for await (const sealed of dataKey.sealed.all()) if (sealed.key.pk.includes(accountId)) yield sealed;
  }
  return { ...dataKey, sealed: { ...dataKey.sealed, all } };
}

it('a rotated data key: both versions open, everything is sealed anew, and stays readable', async () => {
  const accountId = `acc_${randomUUID()}`;
  const dataKey = dataKeyOf(accountId);
  const endpoint = newEndpoint();
  const now = Date.now();
  const record = {
    ...idempotencyClaim('POST', '/v1/webhooks', randomUUID(), { a: 1 }),
    status: 201,
    body: '{"signing_secret":"whsec_old"}',
  };
  await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_old' }, now, record);
  const before = await dataKey.currentVersion();

  const version = await dataKey.addVersion();
  // Another instance, as a function that starts now: nothing of the old key is in its memory.
  const fresh = dataKeyOf(accountId);
  expect(await fresh.currentVersion()).toBe(version);
  const found = () => webhookSender(table(), admin().dataKey.sealer).find(accountId, endpoint.webhook_id);
  const answer = () => idempotencyStore(table(), admin().dataKey.sealer).find(accountId, record.scope, now);
  expect((await found())?.signing_secret).toBe('whsec_old');
  expect([...(await sealedByVersion(fresh))]).toEqual([[before, 2]]);

  expect(await reseal(fresh, () => undefined)).toEqual({ resealed: 2, current: 0, changedMeanwhile: 0 });
  expect([...(await sealedByVersion(fresh))]).toEqual([[version, 2]]);
  expect((await found())?.signing_secret).toBe('whsec_old');
  expect((await answer())?.body).toBe(record.body);
  expect((await reseal(fresh, () => undefined)).resealed).toBe(0);
});

it('leaves alone what somebody changed while it was being sealed anew', async () => {
  const { dataKey, webhookSecrets } = admin();
  const accountId = `acc_${randomUUID()}`;
  const endpoint = newEndpoint();
  await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_first' }, Date.now());
  await dataKey.addVersion();
  const fresh = dataKeyOf(accountId);
  const rival = {
    ...fresh,
    sealed: {
      ...fresh.sealed,
      replace: async (...args: Parameters<typeof fresh.sealed.replace>) => {
        await webhookSecrets.rotate(accountId, endpoint.webhook_id, 'whsec_second', Date.now() + 60_000);
        return fresh.sealed.replace(...args);
      },
    },
  };
  expect((await reseal(rival, () => undefined)).changedMeanwhile).toBe(1);
  const kept = await webhookSender(table(), fresh.sealer).find(accountId, endpoint.webhook_id);
  expect([kept?.signing_secret, kept?.previous?.secret]).toEqual(['whsec_second', 'whsec_first']);
});

it('a rotated signing secret keeps the one before, and a missing endpoint is no endpoint', async () => {
  const { dataKey, webhookSecrets } = admin();
  const accountId = `acc_${randomUUID()}`;
  const endpoint = newEndpoint();
  await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_a' }, Date.now());
  expect(await webhookSecrets.rotate(accountId, endpoint.webhook_id, 'whsec_b', 5)).toBe(true);
  const rotated = await webhookSender(table(), dataKey.sealer).find(accountId, endpoint.webhook_id);
  expect(rotated).toMatchObject({ signing_secret: 'whsec_b', previous: { secret: 'whsec_a', untilMs: 5 } });
  expect(await webhookSecrets.rotate(accountId, 'wh_none', 'whsec_c', 5)).toBe(false);
  expect(await webhookSecrets.rotate('acc_other', endpoint.webhook_id, 'whsec_c', 5)).toBe(false);
});
