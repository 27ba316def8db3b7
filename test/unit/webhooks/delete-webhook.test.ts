import { START_WITHIN_MS } from '../../../shared/domain/webhooks/webhook-endpoint';
import { deleteWebhook } from '../../../shared/usecases/webhooks/delete-webhook';
import { screened, tellScreened } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { callerOf } from '../../support/payment';

/** An account with one endpoint, and the pauses that were made. */
async function world() {
  const scene = memoryDeliveryWorld();
  const { webhook_id } = await scene.register(['transaction.screened']);
  const pauses: number[] = [];
  const deps = {
    webhooks: scene.table.webhooks.merchant,
    pause: async (ms: number) => {
      pauses.push(ms);
      scene.pass(ms);
    },
  };
  return { scene, deps, pauses, webhook_id, caller: callerOf(scene.accountId) };
}

it('removes the endpoint at once, and resolves when no sender that still saw it can start', async () => {
  const { scene, deps, caller, webhook_id } = await world();
  const seen: unknown[] = [];
  const pause = async (ms: number) => void seen.push(ms, await scene.endpoint(webhook_id));
  await deleteWebhook({ ...deps, pause }, caller, webhook_id);
  expect(seen).toEqual([START_WITHIN_MS, undefined]);
});

it('leaves nothing to be sent: a delivery that was waiting is cancelled, and no new one is made', async () => {
  const { scene, deps, caller, webhook_id } = await world();
  const order = () => tellScreened(scene.accountId, screened(scene.clock.now()));
  await scene.relayOrders(order());
  await deleteWebhook(deps, caller, webhook_id);
  await scene.relayOrders(order());
  await scene.live(60_000);
  expect(scene.posts).toEqual([]);
  const selection = { statuses: ['pending', 'cancelled'], want: 10, nowMs: scene.clock.now() } as const;
  const { deliveries } = await scene.table.deliveries.newest(scene.accountId, webhook_id, selection);
  expect(deliveries).toMatchObject([{ state: { status: 'cancelled', reason: 'endpoint_deleted' } }]);
});

it('knows no endpoint twice, of another account or under another id, and waits for none of them', async () => {
  const { scene, deps, pauses, caller, webhook_id } = await world();
  const notFound = { code: 'not_found' };
  await expect(deleteWebhook(deps, callerOf('acc_other'), webhook_id)).rejects.toMatchObject(notFound);
  await expect(deleteWebhook(deps, caller, webhook_id.replace('wh_', 'dlv_'))).rejects.toMatchObject(notFound);
  expect(await scene.endpoint(webhook_id)).toBeDefined();
  expect(pauses).toEqual([]);
  await deleteWebhook(deps, caller, webhook_id);
  await expect(deleteWebhook(deps, caller, webhook_id)).rejects.toMatchObject(notFound);
  expect(pauses).toEqual([START_WITHIN_MS]);
});

it('does not claim to have deleted what it could not', async () => {
  const { scene, deps, caller, webhook_id } = await world();
  const webhooks = interpose(
    deps.webhooks,
    failing(() => 'before'),
  );
  await expect(deleteWebhook({ ...deps, webhooks }, caller, webhook_id)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await scene.endpoint(webhook_id)).toBeDefined();
});
