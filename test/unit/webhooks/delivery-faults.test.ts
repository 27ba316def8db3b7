import type { DeliverDeps } from '../../../shared/usecases/webhooks/deliver-webhooks';
import { relayBatch } from '../../../shared/usecases/webhooks/relay-batch';
import { screened, tellScreened } from '../../support/changes';
import { MINUTE } from '../../support/delivery-scene';
import { failingAt, type Moment } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

const MOMENTS: readonly Moment[] = ['before', 'after'];
const sweep = (count: number) =>
  MOMENTS.flatMap((moment) => Array.from({ length: count }, (_, at) => [moment, at] as const));

const DISPATCH_PORTS: readonly (keyof DeliverDeps)[] = ['endpoints', 'states', 'deliveries', 'queued', 'queue', 'post'];

/** Calls of a delivery that succeeds: delivery with its message and endpoint, slot, claim, POST, settle. */
describe('a fault at every await of an attempt', () => {
  it.each(sweep(5))('%s call %i: the event arrives, always with the same bytes', async (moment, at) => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
    const { deps, calls } = failingAt(world.deliver, DISPATCH_PORTS, at, moment);
    await world.dispatchDue(deps);
    expect(calls.length).toBeGreaterThan(at);
    await world.live(10 * MINUTE);
    expect(world.posts.length).toBeGreaterThanOrEqual(1);
    // Only where the POST went out and could not be written down does it go out again.
    const mayRepeat = calls[at] === 'post' || calls[at] === 'deliveries.step';
    expect(world.posts.length).toBeLessThanOrEqual(mayRepeat ? 2 : 1);
    expect(new Set(world.posts.map(({ message }) => Buffer.from(message.body).toString())).size).toBe(1);
    const { delivery_id } = world.attempts.at(-1) ?? {};
    const done = await world.find({
      account_id: world.accountId,
      webhook_id: world.posts[0]!.endpoint.webhook_id,
      delivery_id: delivery_id ?? world.posts[0]!.deliveryId,
    });
    expect(done?.state.status).toBe('delivered');
  });
});

describe('a fault at every await of the relay', () => {
  it.each(sweep(4))('%s call %i: handed over again, it makes one message and one delivery', async (moment, at) => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    const record = {
      sequence: '1',
      committedAtMs: world.clock.now(),
      raw: tellScreened(world.accountId, screened(world.clock.now())),
    };
    const ports = ['endpoints', 'messages', 'deliveries', 'queue'] as const;
    // A large message takes every call that a small one takes, and one more.
    const large = { ...world.relay, pack: () => undefined };
    const { deps, calls } = failingAt({ ...large, setAside: async () => undefined }, ports, at, moment);
    await relayBatch(deps, [record]).catch(() => undefined);
    expect(calls.length).toBeGreaterThan(at);
    await relayBatch(large, [record]);
    await world.live(10 * MINUTE);
    expect(world.posts).toHaveLength(1);
  });
});
