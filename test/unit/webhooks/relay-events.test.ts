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
  expect(await relayChange(world.relay, change)).toEqual(first);
  expect(await deliveriesTo(world, webhook_id)).toHaveLength(1);
});

it.each(['before', 'after'] as const)('a failure %s any call leaves what a repeat completes', async (moment) => {
  for (let at = 0; at < 3; at++) {
    const world = memoryDeliveryWorld();
    const { webhook_id } = await world.register(['transaction.screened']);
    const change = blocked(world);
    const { deps, calls } = failingAt(world.relay, ['endpoints', 'messages', 'deliveries'], at, moment);
    await expect(relayChange(deps, change)).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toEqual(['endpoints.list', 'messages.insert', 'deliveries.insert'].slice(0, at + 1));
    const [{ queueMessage }] = (await relayChange(world.relay, change)) as [DelayedMessage];
    expect(await deliveriesTo(world, webhook_id)).toHaveLength(1);
    const { delivery, message } = (await world.table.queued.load([queueMessage])).delivery(queueMessage);
    expect(delivery?.message_id).toBe(message?.message_id);
  }
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
