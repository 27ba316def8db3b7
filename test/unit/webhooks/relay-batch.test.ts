import { unavailable } from '../../../shared/domain/errors';
import type { RelayOrder } from '../../../shared/domain/webhooks/relay-order';
import { healRelay } from '../../../shared/usecases/webhooks/heal-relay';
import { isNotable, PATIENCE_MS, relayBatch } from '../../../shared/usecases/webhooks/relay-batch';
import { screened, tellScreened } from '../../support/changes';
import { interpose } from '../../support/memory/interpose';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

const streamed = (orders: readonly RelayOrder[], committedAtMs: number) =>
  orders.map((raw, index) => ({ sequence: `s${index}`, committedAtMs, raw }));
const ordersOf = (world: MemoryDeliveryWorld, count: number): RelayOrder[] =>
  Array.from({ length: count }, () => tellScreened(world.accountId, screened(world.clock.now())));

async function listening(endpoints = 1): Promise<MemoryDeliveryWorld> {
  const world = memoryDeliveryWorld();
  for (let i = 0; i < endpoints; i++) await world.register(['transaction.screened']);
  return world;
}

it('makes one message and a delivery for each endpoint, and nothing new when it is handed over again', async () => {
  const world = await listening(3);
  const records = streamed(ordersOf(world, 2), world.clock.now() - 700);
  const report = await relayBatch(world.relay, records);
  expect(report).toEqual({ records: 2, deliveries: 6, unsent: 0, setAside: 0, lagMs: 700, failed: [] });
  expect(isNotable(report)).toBe(true);
  await relayBatch(world.relay, records);
  await world.live(60_000);
  expect(world.posts).toHaveLength(6);
  expect(new Set(world.posts.map(({ message }) => message.message_id)).size).toBe(2);
});

it('reads the endpoints of an account once for a batch, and writes nothing where nobody listens', async () => {
  const world = memoryDeliveryWorld();
  const calls: string[] = [];
  const watch = <Port extends object>(port: Port, name: string): Port =>
    interpose(
      port,
      (call, apply) => {
        calls.push(call);
        return apply();
      },
      `${name}.`,
    );
  const { endpoints, messages, deliveries } = world.relay;
  const deps = {
    ...world.relay,
    endpoints: watch(endpoints, 'endpoints'),
    messages: watch(messages, 'messages'),
    deliveries: watch(deliveries, 'deliveries'),
  };
  const report = await relayBatch(deps, streamed(ordersOf(world, 30), world.clock.now()));
  expect(calls).toEqual(['endpoints.list']);
  // The relay writes no log line for it either.
  expect(isNotable(report)).toBe(false);
  expect([{ failed: ['s1'] }, { setAside: 1 }, { unsent: 1 }].map((more) => isNotable({ ...report, ...more }))).toEqual(
    [true, true, true],
  );
});

it('queues a delivery that a request made without asking who listens', async () => {
  const world = memoryDeliveryWorld();
  const queueMessage = {
    account_id: 'acc_1',
    webhook_id: 'wh_1',
    delivery_id: 'dlv_1',
    message_id: 'msg_1',
    attempt: 0,
  };
  await relayBatch(world.relay, streamed([{ kind: 'queue', queueMessage }], world.clock.now()));
  expect(world.sent).toEqual([{ queueMessage, delayMs: 0 }]);
});

it('says nothing of what a restored backup brings back', async () => {
  const world = await listening();
  const old = streamed(ordersOf(world, 1), world.clock.now() + 26 * 3_600_000);
  expect(await relayBatch(world.relay, old)).toMatchObject({ deliveries: 0, failed: [], setAside: 0 });
});

describe('a record that fails', () => {
  const failingOn = (world: MemoryDeliveryWorld, bad: RelayOrder, error: Error, aside: RelayOrder[] = []) => ({
    ...world.relay,
    read: (order: RelayOrder) => {
      if (order === bad) throw error;
      return order;
    },
    setAside: async (order: RelayOrder) => void aside.push(order),
  });

  it('by itself is set aside at once, and its mates are relayed', async () => {
    const world = await listening();
    const orders = ordersOf(world, 25);
    const aside: RelayOrder[] = [];
    const deps = failingOn(world, orders[9]!, new Error('always throws'), aside);
    const report = await relayBatch(deps, streamed(orders, world.clock.now()));
    expect(report).toMatchObject({ deliveries: 24, setAside: 1, failed: [] });
    expect(aside).toEqual([orders[9]]);
  });

  it('by a table out of reach is handed over again, for five minutes', async () => {
    const world = await listening();
    const orders = ordersOf(world, 3);
    const aside: RelayOrder[] = [];
    const deps = failingOn(world, orders[1]!, unavailable(new Error('throttled')), aside);
    const young = streamed(orders, world.clock.now() - PATIENCE_MS + 1);
    expect(await relayBatch(deps, young)).toMatchObject({ failed: ['s1'], setAside: 0, deliveries: 2 });
    const old = streamed(orders, world.clock.now() - PATIENCE_MS);
    expect(await relayBatch(deps, old)).toMatchObject({ failed: [], setAside: 1, deliveries: 2 });
    expect(aside).toEqual([orders[1]]);
  });

  it('and cannot even be set aside is handed over again, never lost', async () => {
    const world = await listening();
    const orders = ordersOf(world, 2);
    const deps = {
      ...failingOn(world, orders[0]!, new Error('always throws')),
      setAside: () => Promise.reject(new Error('no queue')),
    };
    expect(await relayBatch(deps, streamed(orders, world.clock.now()))).toMatchObject({ failed: ['s0'], setAside: 0 });
    expect(world.problems).toHaveLength(2);
  });
});

it('hints that the queue does not take are counted, and the sweep sends them', async () => {
  const world = await listening();
  const deaf = { ...world.relay, queue: { send: async (queueMessages: readonly unknown[]) => queueMessages.length } };
  expect(await relayBatch(deaf, streamed(ordersOf(world, 4), world.clock.now()))).toMatchObject({ unsent: 4 });
  await world.live(3 * 60_000);
  expect(world.posts).toHaveLength(4);
});

describe('healing', () => {
  function asideQueue(raws: RelayOrder[]) {
    const taken = new Set<RelayOrder>();
    const take = async () =>
      raws
        .filter((raw) => !taken.has(raw))
        .slice(0, 2)
        .map((raw) => {
          taken.add(raw);
          return { raw, remove: async () => void raws.splice(raws.indexOf(raw), 1) };
        });
    return { take };
  }

  it('relays what was set aside once it can be, and leaves what still fails', async () => {
    const world = await listening();
    const orders = ordersOf(world, 5);
    const [, , bad] = orders;
    const left = [...orders];
    const read = (order: RelayOrder) => {
      if (order === bad) throw new Error('still broken');
      return order;
    };
    const deps = { ...world.relay, read, setAside: asideQueue(left) };
    expect(await healRelay(deps, world.clock.now() + 1_000)).toEqual({ healed: 4, stillFailing: 1 });
    expect(left).toEqual([bad]);
    await world.live(60_000);
    expect(world.posts).toHaveLength(4);
  });

  it('removes a record only after its hints were sent: killed in between, it relays it again, to no effect', async () => {
    const world = await listening();
    const left = ordersOf(world, 1);
    const dying = {
      take: async () =>
        (await asideQueue(left).take()).map((each) => ({ ...each, remove: () => Promise.reject(new Error('killed')) })),
    };
    let rounds = 0;
    const once = { take: async () => (rounds++ === 0 ? dying.take() : []) };
    const broken = await healRelay({ ...world.relay, setAside: once }, world.clock.now() + 1_000);
    expect(broken).toEqual({ healed: 0, stillFailing: 1 });
    const second = await healRelay({ ...world.relay, setAside: asideQueue(left) }, world.clock.now() + 1_000);
    expect(second).toEqual({ healed: 1, stillFailing: 0 });
    await world.live(60_000);
    expect(world.posts).toHaveLength(1);
  });

  it('begins nothing when its time is up', async () => {
    const world = await listening();
    const left = ordersOf(world, 1);
    const report = await healRelay({ ...world.relay, setAside: asideQueue(left) }, world.clock.now());
    expect(report).toEqual({ healed: 0, stillFailing: 0 });
    expect(left).toHaveLength(1);
  });
});
