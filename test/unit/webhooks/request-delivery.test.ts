import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { ClaimTaken, idempotencyClaim } from '../../../shared/domain/idempotency';
import type { DeliveryPage } from '../../../shared/domain/webhooks/delivery';
import { DELIVERY_RETENTION_MS, type Delivery } from '../../../shared/domain/webhooks/delivery';
import { queueMessageOf } from '../../../shared/domain/webhooks/queue-message';
import { deliveryListAnswer } from '../../../shared/http/presenters/delivery-answer';
import { newUlid } from '../../../shared/runtime/ids';
import { listDeliveries } from '../../../shared/usecases/webhooks/list-deliveries';
import { redeliver, testWebhook } from '../../../shared/usecases/webhooks/request-delivery';
import { screened, tellScreened } from '../../support/changes';
import { answers } from '../../support/delivery-scene';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

/** An account with one endpoint. */
async function world() {
  const scene = memoryDeliveryWorld();
  const { table, clock, accountId } = scene;
  const caller = { account_id: accountId, key_id: 'key_1', settings: DEFAULT_SETTINGS };
  const { webhook_id } = await scene.register(['transaction.screened']);
  const base = { clock, newUlid, endpoints: table.webhooks.merchant };
  const { deliveries, requests } = table;
  const claim = idempotencyClaim('POST', '/v1/x', 'key', {});
  return {
    ...{ scene, table, caller, webhook_id, claim },
    redeliverDeps: { ...base, deliveries, requests },
    testDeps: { ...base, stage: 'sandbox' as const, requests },
    listDeps: { clock, endpoints: table.webhooks.merchant, deliveries },
    record: (delivery: Delivery) => ({ ...claim, status: 202, body: delivery.delivery_id }),
    async delivered(): Promise<string> {
      await scene.relayOrders(tellScreened(accountId, screened(clock.now())));
      await scene.live(1_000);
      return scene.posts.at(-1)?.deliveryId ?? '';
    },
    disable: () => table.webhooks.sender.disable(accountId, webhook_id, 'failing', clock.now()),
  };
}

const page = async (listing: Promise<DeliveryPage>) => deliveryListAnswer(await listing);

describe('a redelivery', () => {
  it('is a new delivery of the same message, whatever became of the first', async () => {
    const { redeliverDeps, caller, webhook_id, delivered, table } = await world();
    const delivery_id = await delivered();
    const again = await redeliver(redeliverDeps, caller, { id: webhook_id, delivery_id });
    const first = await table.deliveries.find({ account_id: caller.account_id, webhook_id, delivery_id });
    expect(again).toMatchObject({
      message_id: first?.message_id,
      origin: 'redelivery',
      redelivery_of: delivery_id,
      state: { status: 'pending', attempt: 0 },
    });
    expect(again.delivery_id).not.toBe(delivery_id);
    expect(await table.deliveries.find(again)).toEqual(again);
  });

  it('is refused for what does not exist, belongs to somebody else or is kept no longer', async () => {
    const { redeliverDeps, caller, webhook_id, delivered, scene } = await world();
    const delivery_id = await delivered();
    const ask = (who: typeof caller, id: string, delivery: string) =>
      redeliver(redeliverDeps, who, { id, delivery_id: delivery });
    const stranger = { ...caller, account_id: 'acc_other' };
    await expect(ask(stranger, webhook_id, delivery_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask(caller, 'wh_none', delivery_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask(caller, webhook_id, 'not an id')).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask(caller, webhook_id, `dlv_${newUlid(scene.clock.now())}`)).rejects.toMatchObject({
      code: 'not_found',
    });
    scene.pass(DELIVERY_RETENTION_MS);
    await expect(ask(caller, webhook_id, delivery_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused for a disabled endpoint, with the reason', async () => {
    const { redeliverDeps, caller, webhook_id, delivered, disable } = await world();
    const delivery_id = await delivered();
    await disable();
    await expect(redeliver(redeliverDeps, caller, { id: webhook_id, delivery_id })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('failing'),
    });
  });

  it('made under one Idempotency-Key is made once, also when the first answer was lost', async () => {
    const { redeliverDeps, caller, webhook_id, delivered, table, record, claim, scene } = await world();
    const ids = { id: webhook_id, delivery_id: await delivered() };
    const losing = {
      ...redeliverDeps,
      requests: interpose(
        table.requests,
        failing(() => 'after'),
      ),
    };
    await expect(redeliver(losing, caller, ids, record)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(redeliver(redeliverDeps, caller, ids, record)).rejects.toBeInstanceOf(ClaimTaken);
    const selection = { statuses: ['pending'], want: 10, nowMs: scene.clock.now() } as const;
    const { deliveries } = await table.deliveries.newest(caller.account_id, webhook_id, selection);
    const recorded = await table.answers.find(caller.account_id, claim.scope, scene.clock.now());
    expect(deliveries.map(({ delivery_id }) => delivery_id)).toEqual([recorded?.body]);
  });
});

describe('a test message', () => {
  it('is a delivery of its own to an endpoint that listens to anything', async () => {
    const { testDeps, caller, webhook_id, table, disable, record } = await world();
    const delivery = await testWebhook(testDeps, caller, webhook_id, record);
    expect(delivery).toMatchObject({ origin: 'test', event_type: 'webhook.test', redelivery_of: null });
    const queueMessage = queueMessageOf(delivery);
    const loaded = await table.queued.load([queueMessage]);
    const body = loaded.delivery(queueMessage).message?.body ?? new Uint8Array();
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ type: 'webhook.test', data: { webhook_id } });
    await expect(testWebhook(testDeps, caller, webhook_id, record)).rejects.toBeInstanceOf(ClaimTaken);
    await disable();
    await expect(testWebhook(testDeps, caller, webhook_id)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(testWebhook(testDeps, caller, 'wh_none')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a list of deliveries', () => {
  it('is walked page by page, newest first, without gap or repetition', async () => {
    const { listDeps, caller, webhook_id, delivered } = await world();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.push(await delivered());
    const seen: string[] = [];
    for (let offset = 0; ; offset += 3) {
      const { deliveries, has_more } = await page(listDeliveries(listDeps, caller, webhook_id, { limit: 3, offset }));
      seen.push(...deliveries.map(({ delivery_id }) => delivery_id));
      if (!has_more) break;
    }
    expect(seen).toEqual([...made].reverse());
  });

  it('says of a disabled endpoint that what was pending is cancelled, and finds it there', async () => {
    const { listDeps, caller, webhook_id, delivered, scene, disable } = await world();
    await delivered();
    scene.receiver = () => answers(500);
    await delivered();
    const list = (status: 'pending' | 'cancelled') =>
      page(listDeliveries(listDeps, caller, webhook_id, { status, limit: 10, offset: 0 }));
    expect((await list('pending')).deliveries).toHaveLength(1);
    await disable();
    expect((await list('pending')).deliveries).toEqual([]);
    expect((await list('cancelled')).deliveries).toMatchObject([{ status: 'cancelled', reason: 'endpoint_disabled' }]);
  });

  it('warns when the search was cut short, and knows no endpoint of another account', async () => {
    const { listDeps, caller, webhook_id, table } = await world();
    const { newest } = table.deliveries;
    const cut: typeof listDeps.deliveries.newest = async (...args) => ({ ...(await newest(...args)), isCut: true });
    const deps = { ...listDeps, deliveries: { newest: cut } };
    const { warnings } = await page(listDeliveries(deps, caller, webhook_id, { limit: 1, offset: 0 }));
    expect(warnings).toEqual([expect.stringContaining('more deliveries')]);
    const stranger = { ...caller, account_id: 'acc_other' };
    const refused = listDeliveries(listDeps, stranger, webhook_id, { limit: 1, offset: 0 });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });
});
