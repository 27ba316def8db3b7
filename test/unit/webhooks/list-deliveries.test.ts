import { DELIVERY_RETENTION_MS } from '../../../shared/domain/webhooks/delivery';
import { type DeliveryFilter, listDeliveries } from '../../../shared/usecases/webhooks/list-deliveries';
import { screened, tellScreened } from '../../support/changes';
import { answers } from '../../support/delivery-scene';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { callerOf } from '../../support/payment';

/** An endpoint with a delivery that arrived, and a later one that has not yet. */
async function world() {
  const scene = memoryDeliveryWorld();
  const { webhook_id } = await scene.register(['transaction.screened']);
  const deliver = async (status: number): Promise<string | undefined> => {
    scene.receiver = () => answers(status);
    await scene.relayOrders(tellScreened(scene.accountId, screened(scene.clock.now())));
    await scene.dispatchDue();
    scene.pass(1_000);
    return scene.posts.at(-1)?.deliveryId;
  };
  const [arrived, pending] = [await deliver(200), await deliver(500)];
  const { deliveries, webhooks } = scene.table;
  const deps = { clock: scene.clock, endpoints: webhooks.merchant, deliveries };
  const caller = callerOf(scene.accountId);
  const list = async (filter: Partial<DeliveryFilter> = {}, over = deps) => {
    const page = await listDeliveries(over, caller, webhook_id, { limit: 10, offset: 0, ...filter });
    return { ...page, deliveries: page.deliveries.map(({ delivery_id }) => delivery_id) };
  };
  return { scene, deps, caller, webhook_id, list, arrived, pending };
}

it('shows the newest first, all or those of one status', async () => {
  const { list, arrived, pending } = await world();
  const page = { limit: 10, offset: 0, hasMore: false, isCut: false, disabledAt: undefined };
  expect(await list()).toEqual({ ...page, deliveries: [pending, arrived] });
  expect(await list({ status: 'delivered' })).toEqual({ ...page, deliveries: [arrived] });
  expect(await list({ status: 'pending' })).toEqual({ ...page, deliveries: [pending] });
  expect(await list({ status: 'failed' })).toEqual({ ...page, deliveries: [] });
});

it('knows whether there is more after a page, and of nothing beyond the end', async () => {
  const { list, arrived, pending } = await world();
  expect(await list({ limit: 1 })).toMatchObject({ deliveries: [pending], hasMore: true });
  expect(await list({ limit: 1, offset: 1 })).toMatchObject({ deliveries: [arrived], hasMore: false });
  expect(await list({ limit: 1, offset: 2 })).toMatchObject({ deliveries: [], hasMore: false });
});

it('says since when an endpoint is disabled, and finds what was pending among the cancelled', async () => {
  const { scene, webhook_id, list, pending } = await world();
  const nowMs = scene.clock.now();
  await scene.table.webhooks.sender.disable(scene.accountId, webhook_id, 'failing', nowMs);
  const disabledAt = new Date(nowMs).toISOString();
  expect(await list({ status: 'cancelled' })).toMatchObject({ deliveries: [pending], disabledAt });
  expect(await list({ status: 'pending' })).toMatchObject({ deliveries: [], disabledAt });
});

it('shows deliveries for 30 days', async () => {
  const { scene, list, pending } = await world();
  scene.pass(DELIVERY_RETENTION_MS - 1_500);
  expect(await list()).toMatchObject({ deliveries: [pending] });
  scene.pass(1_000);
  expect(await list()).toMatchObject({ deliveries: [] });
});

it('knows no endpoint of another account or under another id, and none that was deleted', async () => {
  const { scene, deps, caller, webhook_id } = await world();
  const ask = (who: typeof caller, id: string) => listDeliveries(deps, who, id, { limit: 1, offset: 0 });
  await expect(ask(callerOf('acc_other'), webhook_id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(ask(caller, webhook_id.replace('wh_', 'dlv_'))).rejects.toMatchObject({ code: 'not_found' });
  await scene.unregister(webhook_id);
  await expect(ask(caller, webhook_id)).rejects.toMatchObject({ code: 'not_found' });
});

it.each(['endpoints', 'deliveries'] as const)('does not take %s out of reach for an empty list', async (port) => {
  const { deps, list } = await world();
  const down = interpose<object>(
    deps[port],
    failing(() => 'before'),
  );
  await expect(list({}, { ...deps, [port]: down })).rejects.toMatchObject({ code: 'unavailable' });
});
