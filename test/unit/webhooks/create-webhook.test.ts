import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { ClaimTaken, idempotencyClaim } from '../../../shared/domain/idempotency';
import { MAX_ENDPOINTS_PER_ACCOUNT } from '../../../shared/domain/webhooks/webhook-endpoint';
import { newId } from '../../../shared/runtime/ids';
import { type CreateWebhookDeps, createWebhook } from '../../../shared/usecases/webhooks/create-webhook';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const NOW = Date.UTC(2026, 2, 1);
const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
const input = { url: 'https://receiver.example/hooks', events: ['case.created', 'case.created'] as const };
const claim = idempotencyClaim('POST', '/v1/webhooks', 'key', input);
const answered = (answer: object) => ({ ...claim, status: 201, body: JSON.stringify(answer) });

function world() {
  const table = memoryTable();
  let byte = 0;
  const deps: CreateWebhookDeps = {
    clock: { now: () => NOW },
    newId,
    randomBytes: (size) => new Uint8Array(size).fill(++byte),
    webhooks: table.webhooks.merchant,
  };
  return { table, deps };
}

it('registers an endpoint and shows its secret, which its sender signs with', async () => {
  const { table, deps } = world();
  const created = await createWebhook(deps, caller, input);
  expect(created).toMatchObject({ events: ['case.created'], label: null, status: 'enabled' });
  expect(created.signing_secret).toMatch(/^whsec_.{44}$/);
  const { signing_secret, ...shown } = created;
  expect(await table.webhooks.merchant.list('acc_1')).toEqual([shown]);
  expect(await table.webhooks.sender.find('acc_1', created.webhook_id)).toMatchObject({ signing_secret });
});

it('refuses one more than an account may have, and names the member at fault', async () => {
  const { table, deps } = world();
  for (let i = 0; i < MAX_ENDPOINTS_PER_ACCOUNT; i++) await createWebhook(deps, caller, input);
  await expect(createWebhook(deps, caller, input, answered)).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'url' }],
  });
  expect(await table.webhooks.merchant.list('acc_1')).toHaveLength(MAX_ENDPOINTS_PER_ACCOUNT);
  expect(await table.answers.find('acc_1', claim.scope, NOW)).toBeUndefined();
});

it('records its answer with the endpoint: a repeat, even one after a lost answer, makes no second', async () => {
  const { table, deps } = world();
  const losing = {
    ...deps,
    webhooks: interpose(
      deps.webhooks,
      failing(() => 'after'),
    ),
  };
  await expect(createWebhook(losing, caller, input, answered)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(createWebhook(deps, caller, input, answered)).rejects.toBeInstanceOf(ClaimTaken);
  const [endpoint] = await table.webhooks.merchant.list('acc_1');
  const recorded = await table.answers.find('acc_1', claim.scope, NOW);
  expect(JSON.parse(recorded?.body ?? '')).toMatchObject({ webhook_id: endpoint?.webhook_id });
  expect(await table.webhooks.merchant.list('acc_1')).toHaveLength(1);
});
