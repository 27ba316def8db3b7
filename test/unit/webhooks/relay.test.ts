import { unavailable } from '../../../shared/domain/errors';
import { type DelayedMessage, isRestored, type RelayOrder } from '../../../shared/domain/webhooks/queue-message';
import type { Change } from '../../../shared/domain/webhooks/webhook-event';
import {
  endpointsOnce,
  isNotable,
  PATIENCE_MS,
  relayBatch,
  relayChange,
} from '../../../shared/usecases/webhooks/relay-events';
import { healRelay } from '../../../shared/usecases/webhooks/sweep-deliveries';
import { failingAt, interpose } from '../../support/memory/interpose';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { screened, tellScreened } from '../../support/webhooks/changes';

describe('relay batch', () => {
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
    expect(
      [{ failed: ['s1'] }, { setAside: 1 }, { unsent: 1 }].map((more) => isNotable({ ...report, ...more })),
    ).toEqual([true, true, true]);
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
      expect(await relayBatch(deps, streamed(orders, world.clock.now()))).toMatchObject({
        failed: ['s0'],
        setAside: 0,
      });
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
          (await asideQueue(left).take()).map((each) => ({
            ...each,
            remove: () => Promise.reject(new Error('killed')),
          })),
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
});

describe('relay events', () => {
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
});

describe('heal relay', () => {
  /** A listening endpoint and records that were set aside; each is taken once, as a queue hides what was received. */
  async function world(count: number) {
    const scene = memoryDeliveryWorld();
    // Large messages: they take every call that a small one takes, and one more.
    scene.relay = { ...scene.relay, pack: () => undefined };
    await scene.register(['transaction.screened']);
    const left = Array.from({ length: count }, () => tellScreened(scene.accountId, screened(scene.clock.now())));
    const asideQueue = () => {
      const waiting = [...left];
      const remove = async (raw: RelayOrder) => void left.splice(left.indexOf(raw), 1);
      return { take: async () => waiting.splice(0, 2).map((raw) => ({ raw, remove: () => remove(raw) })) };
    };
    return { scene, left, asideQueue, deadlineMs: scene.clock.now() + 1_000 };
  }

  it('has nothing to do when nothing was set aside', async () => {
    const { scene, asideQueue, deadlineMs } = await world(0);
    const report = await healRelay({ ...scene.relay, setAside: asideQueue() }, deadlineMs);
    expect(report).toEqual({ healed: 0, stillFailing: 0 });
    expect(scene.sent).toEqual([]);
  });

  it.each(['endpoints', 'messages', 'deliveries', 'queue'] as const)(
    'leaves a record while %s cannot be reached, and relays it in the next pass',
    async (port) => {
      const { scene, left, asideQueue, deadlineMs } = await world(3);
      const { deps } = failingAt(scene.relay, [port], 0, 'before');
      const first = await healRelay({ ...deps, setAside: asideQueue() }, deadlineMs);
      expect(first).toEqual({ healed: 2, stillFailing: 1 });
      expect(left).toHaveLength(1);
      expect(scene.problems).toEqual([expect.stringContaining('fails again')]);
      const second = await healRelay({ ...scene.relay, setAside: asideQueue() }, deadlineMs);
      expect(second).toEqual({ healed: 1, stillFailing: 0 });
      await scene.live(60_000);
      expect(scene.posts).toHaveLength(3);
    },
  );

  it('fails when it cannot see what was set aside, rather than report that there is nothing', async () => {
    const { scene, deadlineMs } = await world(1);
    const setAside = { take: () => Promise.reject(new Error('no queue')) };
    await expect(healRelay({ ...scene.relay, setAside }, deadlineMs)).rejects.toThrow('no queue');
  });

  it('takes no more once its time is up, and finishes what it took', async () => {
    const { scene, left, asideQueue, deadlineMs } = await world(5);
    const { take } = asideQueue();
    const slow = {
      take: () => {
        scene.pass(600);
        return take();
      },
    };
    const report = await healRelay({ ...scene.relay, setAside: slow }, deadlineMs);
    expect(report).toEqual({ healed: 4, stillFailing: 0 });
    expect(left).toHaveLength(1);
  });
});

describe('restored change', () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse('2026-11-14T12:00:00Z');
  const at = (ms: number): string => new Date(ms).toISOString();
  const orderOf = (change: object): RelayOrder => ({ kind: 'publish', change }) as unknown as RelayOrder;

  const CHANGES: ReadonlyArray<readonly [string, (happenedMs: number) => RelayOrder]> = [
    ['a screening', (ms) => orderOf({ kind: 'screened', record: { screened_at_ms: ms } })],
    ['a case', (ms) => orderOf({ kind: 'case_opened', reviewCase: { created_at_ms: ms } })],
    ['a review', (ms) => orderOf({ kind: 'reviewed', record: { review: { reviewed_at: at(ms) } } })],
    ['a resolution', (ms) => orderOf({ kind: 'case_resolved', reviewCase: { resolved_at: at(ms) } })],
  ];

  describe.each(CHANGES)('%s in the stream', (_name, order) => {
    it('is news when it was written within a day of happening, as a late retry may be', () => {
      expect([0, 1, 24].map((hours) => isRestored(order(NOW - hours * HOUR), NOW))).toEqual([false, false, false]);
    });

    it('is no news when a backup brought it back', () => {
      expect([26, 24 * 60].map((hours) => isRestored(order(NOW - hours * HOUR), NOW))).toEqual([true, true]);
    });

    it('is news when it was set aside, however long ago', () => {
      expect(isRestored(order(NOW - 300 * HOUR), Number.NEGATIVE_INFINITY)).toBe(false);
    });
  });

  it('a hint for a delivery that a request made is always passed on', () => {
    expect(isRestored({ kind: 'queue', queueMessage: {} } as unknown as RelayOrder, NOW)).toBe(false);
  });
});
