import type { DelayedMessage } from '../../../shared/domain/webhooks/queue-message';
import type { Change } from '../../../shared/domain/webhooks/webhook-event';
import { endpointsOnce, relayChange } from '../../../shared/usecases/webhooks/relay-events';
import { screened } from '../../support/changes';
import { failingAt } from '../../support/memory/interpose';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

const blocked = ({ accountId, clock }: MemoryDeliveryWorld): Change => ({
  kind: 'screened',
  account_id: accountId,
  record: screened(clock.now(), { automated_decision: 'block', risk_score: 99, risk_level: 'high' }),
});

const deliveriesTo = async ({ table, accountId, clock }: MemoryDeliveryWorld, webhookId: string) => {
  const selection = { statuses: ['pending'], want: 10, nowMs: clock.now() } as const;
  return (await table.deliveries.newest(accountId, webhookId, selection)).deliveries;
};

it('delivers each event of a change to those who subscribed to it, and returns what is to be queued', async () => {
  const world = memoryDeliveryWorld();
  const [both, one] = [await world.register(), await world.register(['transaction.decision.block'])];
  const queued = await relayChange(world.relay, blocked(world));
  const stored = [...(await deliveriesTo(world, both.webhook_id)), ...(await deliveriesTo(world, one.webhook_id))];
  expect(stored.map(({ event_type }) => event_type).sort()).toEqual([
    'transaction.decision.block',
    'transaction.decision.block',
    'transaction.screened',
  ]);
  const idOf = ({ delivery_id }: { readonly delivery_id: string }) => delivery_id;
  expect(queued.map(({ queueMessage }) => idOf(queueMessage)).sort()).toEqual(stored.map(idOf).sort());
  expect(queued.map(({ delayMs, queueMessage }) => [delayMs, queueMessage.attempt])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(world.sent).toEqual([]);
});

it('tells only endpoints of the same account that are enabled and were there when it happened', async () => {
  const world = memoryDeliveryWorld();
  const change = blocked(world);
  const disabled = await world.register();
  await world.table.webhooks.sender.disable(world.accountId, disabled.webhook_id, 'failing', world.clock.now());
  world.pass(61_000);
  await world.register();
  expect(await relayChange(world.relay, change)).toEqual([]);
  const later = blocked(world);
  expect(await relayChange(world.relay, { ...later, account_id: 'acc_other' })).toEqual([]);
  expect(await relayChange(world.relay, later)).toHaveLength(2);
});

it('writes nothing twice however often it is repeated, and returns the same to be queued', async () => {
  const world = memoryDeliveryWorld();
  const { webhook_id } = await world.register(['transaction.screened']);
  const change = blocked(world);
  const first = await relayChange(world.relay, change);
  world.pass(5_000);
  // Only that its message is to be looked for everywhere: another version may have stored it.
  const again = (queued: DelayedMessage[]) =>
    queued.map(({ queueMessage: { is_packed, ...queueMessage }, delayMs }) => ({ queueMessage, delayMs }));
  expect(await relayChange(world.relay, change)).toEqual(again(first));
  expect(await deliveriesTo(world, webhook_id)).toHaveLength(1);
});

const LARGE = { pack: () => undefined };
const SMALL_CALLS = ['endpoints.list', 'deliveries.insert'];
const LARGE_CALLS = ['endpoints.list', 'messages.insert', 'deliveries.insert'];

it.each([
  ['before', 'small', {}, SMALL_CALLS],
  ['after', 'small', {}, SMALL_CALLS],
  ['before', 'large', LARGE, LARGE_CALLS],
  ['after', 'large', LARGE, LARGE_CALLS],
] as const)(
  'a failure %s any call with a %s message leaves what a repeat completes',
  async (moment, _size, pack, all) => {
    for (let at = 0; at < all.length; at++) {
      const world = memoryDeliveryWorld();
      const relay = { ...world.relay, ...pack };
      const { webhook_id } = await world.register(['transaction.screened']);
      const change = blocked(world);
      const { deps, calls } = failingAt(relay, ['endpoints', 'messages', 'deliveries'], at, moment);
      await expect(relayChange(deps, change)).rejects.toMatchObject({ code: 'unavailable' });
      expect(calls).toEqual(all.slice(0, at + 1));
      const [{ queueMessage }] = (await relayChange(relay, change)) as [DelayedMessage];
      expect(await deliveriesTo(world, webhook_id)).toHaveLength(1);
      const { delivery, message } = (await world.table.queued.load([queueMessage])).delivery(queueMessage);
      expect(delivery?.message_id).toBe(message?.message_id);
    }
  },
);

it.each([
  ['packed, after it was not', LARGE, {}],
  ['not packed, after it was', {}, LARGE],
] as const)('a message is found that is repeated %s', async (_how, earlier, later) => {
  const world = memoryDeliveryWorld();
  await world.register(['transaction.screened']);
  const change = blocked(world);
  const [first] = (await relayChange({ ...world.relay, ...earlier }, change)) as [DelayedMessage];
  const [{ queueMessage }] = (await relayChange({ ...world.relay, ...later }, change)) as [DelayedMessage];
  expect(queueMessage.delivery_id).toBe(first.queueMessage.delivery_id);
  const { message } = (await world.table.queued.load([queueMessage])).delivery(queueMessage);
  expect(JSON.parse(Buffer.from(message?.body ?? []).toString())).toMatchObject({ type: 'transaction.screened' });
});

it('reads the endpoints of each account once for a batch', async () => {
  const world = memoryDeliveryWorld();
  const asked: string[] = [];
  const list = (accountId: string) => {
    asked.push(accountId);
    return world.relay.endpoints.list(accountId);
  };
  const once = endpointsOnce({ endpoints: { list } });
  const endpoint = await world.register();
  const found = await Promise.all([world.accountId, 'acc_other', world.accountId].map(once.list));
  expect(found).toEqual([[endpoint], [], [endpoint]]);
  expect(asked).toEqual([world.accountId, 'acc_other']);
});
