import fc from 'fast-check';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { LEASE_MS } from '../../../shared/domain/webhooks/delivery';
import { MAX_IN_FLIGHT } from '../../../shared/domain/webhooks/endpoint-state';
import type { QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { type DeliveryOutcome, RETRY_DELAYS_MS } from '../../../shared/domain/webhooks/retry-schedule';
import { START_WITHIN_MS } from '../../../shared/domain/webhooks/webhook-endpoint';
import {
  attemptDelivery,
  cancelReason,
  type DeliverDeps,
  deliverBatch,
  eachAtMost,
  freshEndpoint,
  type Job,
} from '../../../shared/usecases/webhooks/deliver-webhooks';
import { relayBatch, relayChange } from '../../../shared/usecases/webhooks/relay-events';
import { failing, failingAt, interpose, type Moment } from '../../support/memory/interpose';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { IS_FULL, sized } from '../../support/sized';
import { virtualTime } from '../../support/stores/virtual-time';
import { screened, tellScreened } from '../../support/webhooks/changes';
import { answers, MINUTE } from '../../support/webhooks/delivery-scene';

describe('attempt delivery', () => {
  /** A delivery that is due, and a gate that finds nothing wrong with its endpoint. */
  async function world() {
    const scene = memoryDeliveryWorld({ random: () => 0.5 });
    const { accountId, table, clock } = scene;
    const { webhook_id } = await scene.register(['transaction.screened']);
    const change = { kind: 'screened', account_id: accountId, record: screened(clock.now()) } as const;
    const [queued] = await relayChange(scene.relay, change);
    if (!queued) throw new Error('Nobody listens');
    const { queueMessage } = queued;
    const job = { queueMessage, ...(await table.queued.load([queueMessage])).delivery(queueMessage) } as Job;
    const gate = { ended: async () => false };
    return {
      ...{ scene, webhook_id, job, gate },
      attempt: (deps = scene.deliver, over = gate) =>
        attemptDelivery(deps, job, freshEndpoint(deps, accountId, webhook_id), over),
      stored: () => table.deliveries.find(job.delivery),
      endpoint: () => table.webhooks.merchant.find(accountId, webhook_id),
    };
  }

  it('sends the stored bytes and records how it went', async () => {
    const { scene, job, attempt, stored } = await world();
    scene.pass(250);
    await attempt();
    expect(scene.posts).toMatchObject([{ message: job.message, deliveryId: job.delivery.delivery_id, attempt: 1 }]);
    expect(await stored()).toMatchObject({
      state: { status: 'delivered', attempt: 1 },
      attempts: [{ attempt: 1, status_code: 200, outcome: 'delivered' }],
    });
    expect(scene.attempts).toMatchObject([{ status: 'delivered', latencyMs: 250, disabledEndpoint: false }]);
    expect(scene.sent).toEqual([]);
  });

  it('queues the next attempt for when it is due', async () => {
    const { scene, attempt, stored } = await world();
    scene.receiver = () => answers(500);
    await attempt();
    const after = await stored();
    if (after?.state.status !== 'pending') throw new Error('Not pending');
    const delayMs = Date.parse(after.state.next_attempt_at) - scene.clock.now();
    expect(after.state).toMatchObject({ attempt: 1, lease_until: null });
    expect(delayMs).toBeGreaterThan(0);
    expect(scene.sent).toMatchObject([{ queueMessage: { attempt: 1 }, delayMs }]);
  });

  it('is made once, however many received its queue message', async () => {
    const { scene, attempt } = await world();
    await Promise.all([attempt(), attempt(), attempt()]);
    await attempt();
    expect(scene.posts).toHaveLength(1);
    expect(scene.attempts).toHaveLength(1);
  });

  it('cancels instead of sending when the endpoint was deleted or disabled in the meantime', async () => {
    const deleted = await world();
    await deleted.scene.unregister(deleted.webhook_id);
    await deleted.attempt();
    expect((await deleted.stored())?.state).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted' });
    const disabled = await world();
    const { accountId, clock, table } = disabled.scene;
    await table.webhooks.sender.disable(accountId, disabled.webhook_id, 'failing', clock.now());
    await disabled.attempt();
    expect((await disabled.stored())?.state).toMatchObject({ status: 'cancelled', reason: 'endpoint_disabled' });
    expect([...deleted.scene.posts, ...disabled.scene.posts]).toEqual([]);
  });

  it('disables an endpoint that answers 410', async () => {
    const { scene, attempt, stored, endpoint } = await world();
    scene.receiver = () => answers(410);
    await attempt();
    expect((await stored())?.state).toMatchObject({ status: 'failed', reason: 'endpoint_gone' });
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(scene.attempts).toMatchObject([{ status: 'failed', disabledEndpoint: true }]);
  });

  it('does not send what it could not claim, and leaves a claim that it lost the answer of to the lease', async () => {
    for (const moment of ['before', 'after'] as const) {
      const { scene, attempt, stored } = await world();
      const deliveries = interpose(
        scene.deliver.deliveries,
        failing((_call, nth) => (nth === 0 ? moment : undefined)),
      );
      await expect(attempt({ ...scene.deliver, deliveries })).rejects.toMatchObject({ code: 'unavailable' });
      expect(scene.posts).toEqual([]);
      const lease_until = moment === 'before' ? null : new Date(scene.clock.now() + LEASE_MS).toISOString();
      expect((await stored())?.state).toMatchObject({ status: 'pending', lease_until });
    }
  });

  it('records a delivery although the health of its endpoint could not be saved', async () => {
    const { scene, attempt, stored } = await world();
    await attempt(scene.deliver, { ended: () => Promise.reject(new Error('timed out')) });
    expect((await stored())?.state).toMatchObject({ status: 'delivered' });
    expect(scene.problems).toEqual([expect.stringContaining('timed out')]);
  });

  it('says nothing of the status when somebody else has concluded the delivery meanwhile', async () => {
    const { scene, attempt, stored, job } = await world();
    scene.receiver = async () => {
      const now = await stored();
      const over = { status: 'cancelled', attempt: 1, completed_at: '', reason: 'endpoint_disabled' } as const;
      await scene.table.deliveries.step({ ...job.delivery, state: now?.state as never }, { after: over });
      return answers(500);
    };
    await attempt();
    expect(scene.attempts).toMatchObject([{ attempt: 1, status: undefined }]);
    expect(scene.sent).toEqual([]);
    expect((await stored())?.state).toMatchObject({ status: 'cancelled' });
  });

  describe('an endpoint', () => {
    it('is read again once it is too old to begin an attempt with', async () => {
      const { scene, webhook_id } = await world();
      const now = freshEndpoint(scene.deliver, scene.accountId, webhook_id);
      expect(cancelReason(await now())).toBeUndefined();
      await scene.unregister(webhook_id);
      scene.pass(START_WITHIN_MS);
      expect(await now()).toMatchObject({ webhook_id });
      scene.pass(1);
      expect(cancelReason(await now())).toBe('endpoint_deleted');
    });

    it('that can never be read fast enough is given up', async () => {
      const { scene, webhook_id } = await world();
      const find: typeof scene.deliver.endpoints.find = (...ids) => {
        scene.pass(START_WITHIN_MS + 1);
        return scene.deliver.endpoints.find(...ids);
      };
      const slow = { ...scene.deliver, endpoints: { ...scene.deliver.endpoints, find } };
      const now = freshEndpoint(slow, scene.accountId, webhook_id);
      await expect(now()).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
});

describe('deliver webhooks', () => {
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  const TIMEOUT: DeliveryOutcome = { kind: 'timeout', phase: 'headers', duration_ms: 10_000 };

  /** Screens and relays; returns the hints of the deliveries. */
  async function screen(world: MemoryDeliveryWorld, count = 1): Promise<QueueMessage[]> {
    const before = world.queued.length;
    const orders = Array.from({ length: count }, () => tellScreened(world.accountId, screened(world.clock.now())));
    await world.relayOrders(...orders);
    return world.queued.slice(before).map(({ queueMessage }) => queueMessage);
  }
  const statusOf = async (world: MemoryDeliveryWorld, queueMessage: QueueMessage) =>
    (await world.find(queueMessage))?.state.status;

  describe('a delivery', () => {
    it('goes out once, however often its hint comes, and all at once', async () => {
      const world = memoryDeliveryWorld();
      await world.register(['transaction.screened']);
      const [queueMessage] = (await screen(world)) as [QueueMessage];
      const batches = Array.from({ length: 8 }, () => [queueMessage, { ...queueMessage }, { ...queueMessage }]);
      await Promise.all(batches.map((batch) => deliverBatch(world.deliver, batch, world.clock.now() + 30_000)));
      await world.live(10 * MINUTE);
      expect(world.posts).toHaveLength(1);
      expect((await world.find(queueMessage))?.state).toMatchObject({ status: 'delivered', attempt: 1 });
      expect(world.problems).toEqual([]);
    });

    it('is attempted ten times on the schedule, with the same bytes, and then failed', async () => {
      const world = memoryDeliveryWorld();
      world.receiver = () => answers(500);
      await world.register(['transaction.screened']);
      const [queueMessage] = (await screen(world)) as [QueueMessage];
      await world.live(5 * DAY);
      expect(world.posts).toHaveLength(10);
      expect(new Set(world.posts.map(({ message }) => Buffer.from(message.body).toString())).size).toBe(1);
      world.posts.slice(1).forEach((posted, index) => {
        const gap = posted.atMs - world.posts[index]!.atMs;
        const scheduled = RETRY_DELAYS_MS[index + 1] ?? 0;
        expect(gap).toBeGreaterThanOrEqual(0.8 * scheduled - 1_000);
        expect(gap).toBeLessThanOrEqual(1.2 * scheduled + 1_000);
      });
      expect(await world.find(queueMessage)).toMatchObject({
        state: { status: 'failed', attempt: 10, reason: 'attempts_exhausted' },
        attempts: Array.from({ length: 10 }, (_, index) => ({
          attempt: index + 1,
          outcome: 'refused',
          status_code: 500,
          answer: 'answer 500',
        })),
      });
      expect(world.sent.every(({ delayMs }) => delayMs >= 0 && delayMs <= 900_000)).toBe(true);
      expect(world.attempts.at(-1)).toMatchObject({ attempt: 10, status: 'failed', disabledEndpoint: false });
    });

    it('whose hints are all lost is found by the sweep, each time within two minutes of its time', async () => {
      const world = memoryDeliveryWorld({ random: () => 0.5 });
      world.receiver = () => answers(500);
      const deaf = {
        ...world.deliver,
        queue: { send: async (queueMessages: readonly unknown[]) => queueMessages.length },
      };
      await world.register(['transaction.screened']);
      await screen(world);
      await world.live(5 * DAY, deaf);
      expect(world.posts).toHaveLength(10);
      world.posts.slice(1).forEach((posted, index) => {
        const late = posted.atMs - world.posts[index]!.atMs - (RETRY_DELAYS_MS[index + 1] ?? 0);
        expect(late).toBeGreaterThanOrEqual(-1_000);
        expect(late).toBeLessThanOrEqual(2 * MINUTE);
      });
    });
  });

  describe('an endpoint in trouble', () => {
    it('has at most five deliveries in flight, over all senders', async () => {
      const world = memoryDeliveryWorld();
      await world.register(['transaction.screened']);
      const queueMessages = await screen(world, 40);
      world.queued.length = 0;
      let inFlight = 0;
      let most = 0;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      world.receiver = async () => {
        most = Math.max(most, ++inFlight);
        await released;
        inFlight--;
        return answers(200);
      };
      const batches = Array.from({ length: 8 }, (_, index) => queueMessages.slice(index * 5, index * 5 + 5));
      const running = batches.map((batch) => deliverBatch(world.deliver, batch, world.clock.now() + 30_000));
      // Who finds no slot goes away again; who has one waits for the receiver.
      while (world.queued.length < 35) await new Promise(setImmediate);
      expect([inFlight, most]).toEqual([5, 5]);
      release();
      await Promise.all(running);
      await world.live(10 * MINUTE);
      expect(most).toBe(5);
      expect(world.posts).toHaveLength(40);
      expect(world.posts.every(({ attempt }) => attempt === 1)).toBe(true);
    });

    it.each([
      ['5 failures', 5, () => answers(503)],
      ['3 time-outs', 3, () => TIMEOUT],
    ])(
      'is left alone after %s in a row but for a probe, which costs nobody an attempt',
      async (_what, opensAt, bad) => {
        const world = memoryDeliveryWorld({ random: () => 0.5 });
        await world.register(['transaction.screened']);
        world.receiver = bad;
        const queueMessages = await screen(world, 20);
        for (const queueMessage of queueMessages) {
          await deliverBatch(world.deliver, [queueMessage], world.clock.now() + 30_000);
          world.pass(10);
        }
        world.queued.splice(0, 20);
        expect(world.posts).toHaveLength(opensAt);
        const openedAtMs = world.clock.now();

        await world.live(29_000);
        const early = world.posts.length;
        // Retries of the first are held as well.
        expect(early).toBe(opensAt);
        await world.live(31_000);
        const probes = world.posts.slice(early);
        expect(probes).toHaveLength(1);
        expect(probes[0]!.atMs - openedAtMs).toBeGreaterThanOrEqual(29_000);

        world.receiver = () => answers(200);
        await world.live(2 * HOUR);
        expect(await Promise.all(queueMessages.map((queueMessage) => statusOf(world, queueMessage)))).toEqual(
          queueMessages.map(() => 'delivered'),
        );
        const attemptsMade = world.posts.length;
        expect(attemptsMade).toBe(20 + opensAt + 1);
      },
    );

    it('a prober that died is replaced, and a place whose holder died is free again', async () => {
      const world = memoryDeliveryWorld();
      await world.register(['transaction.screened']);
      world.receiver = () => {
        throw new Error('killed');
      };
      const queueMessages = await screen(world, 5);
      await deliverBatch({ ...world.deliver, states: withoutReturn(world) }, queueMessages, world.clock.now() + 30_000);
      world.receiver = () => answers(200);
      const [late] = (await screen(world)) as [QueueMessage];
      await deliverBatch(world.deliver, [late], world.clock.now() + 30_000);
      expect(await statusOf(world, late)).toBe('pending');
      await world.live(3 * MINUTE);
      expect(await statusOf(world, late)).toBe('delivered');
      expect(await Promise.all(queueMessages.map((queueMessage) => statusOf(world, queueMessage)))).toEqual(
        queueMessages.map(() => 'delivered'),
      );
    });

    it('is disabled after five days of nothing but failures, and its deliveries are cancelled', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      world.receiver = () => answers(500);
      const startedMs = world.clock.now();
      const queueMessages = await screen(world, 3);
      await world.live(5 * DAY - 90 * MINUTE);
      expect((await world.endpoint(webhook_id))?.status).toBe('enabled');
      for (let hour = 0; hour < 3; hour++) {
        queueMessages.push(...(await screen(world)));
        await world.live(HOUR);
      }
      const endpoint = await world.endpoint(webhook_id);
      const disabledAfterMs = Date.parse(endpoint?.disabled_at ?? '') - startedMs;
      expect(disabledAfterMs).toBeGreaterThanOrEqual(5 * DAY);
      expect(disabledAfterMs).toBeLessThanOrEqual(5 * DAY + HOUR);
      expect(endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });

      const sentBefore = world.posts.length;
      await world.live(2 * DAY);
      expect(world.posts).toHaveLength(sentBefore);
      const left = await Promise.all(queueMessages.map((queueMessage) => world.find(queueMessage)));
      expect(left.filter((each) => each?.state.status === 'pending')).toEqual([]);
      expect(left.map((each) => each?.state)).toContainEqual(
        expect.objectContaining({ status: 'cancelled', reason: 'endpoint_disabled' }),
      );
    });

    it('is never disabled while a success comes now and then', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      for (const [days, status] of [
        [4, 500],
        [0.1, 200],
        [4, 500],
      ] as const) {
        world.receiver = () => answers(status);
        await screen(world, 3);
        await world.live(days * DAY);
      }
      expect(world.attempts.filter(({ outcome }) => outcome.kind === 'refused').length).toBeGreaterThan(40);
      expect((await world.endpoint(webhook_id))?.status).toBe('enabled');
    });

    it('410 disables it at once', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      world.receiver = () => answers(410);
      const [queueMessage] = (await screen(world)) as [QueueMessage];
      await world.dispatchDue();
      expect(await world.endpoint(webhook_id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
      expect((await world.find(queueMessage))?.state).toMatchObject({ status: 'failed', reason: 'endpoint_gone' });
      expect(world.attempts).toEqual([expect.objectContaining({ disabledEndpoint: true, status: 'failed' })]);
    });
  });

  describe('a deleted endpoint', () => {
    it('gets nothing more: a hundred pending deliveries are cancelled when they come due', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      const queueMessages = await screen(world, 100);
      expect(await world.unregister(webhook_id)).toBe(true);
      await world.live(5 * MINUTE);
      expect(world.posts).toEqual([]);
      const states = await Promise.all(
        queueMessages.map(async (queueMessage) => (await world.find(queueMessage))?.state),
      );
      expect(new Set(states.map((state) => state && 'reason' in state && state.reason))).toEqual(
        new Set(['endpoint_deleted']),
      );
    });

    it('gets nothing from a sender that was already at work when it was deleted', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      const queueMessages = await screen(world, 10);
      world.receiver = async () => {
        await world.unregister(webhook_id);
        world.pass(400);
        return answers(200);
      };
      await deliverBatch(world.deliver, queueMessages, world.clock.now() + 30_000);
      // At most those that had begun side by side; the others saw that it is gone.
      expect(world.posts.length).toBeGreaterThan(0);
      expect(world.posts.length).toBeLessThanOrEqual(5);
    });
  });

  it('a batch too slow for its function is not begun: what there is no time for comes again', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    const queueMessages = await screen(world, 10);
    world.queued.length = 0;
    world.receiver = () => {
      world.pass(60);
      return answers(200);
    };
    const failed = await deliverBatch(world.deliver, queueMessages, world.clock.now() + 13_100);
    expect(failed.size).toBe(0);
    expect(world.posts.length).toBeLessThan(10);
    expect(world.posts.length + world.queued.length).toBe(10);
    await world.live(5 * MINUTE);
    expect(world.posts).toHaveLength(10);
  });

  it('a hint without its delivery is done with; a delivery without its message is a failure, and its mates are not', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    const [good] = (await screen(world)) as [QueueMessage];
    world.relay = { ...world.relay, pack: () => undefined };
    const [bad, unknown] = (await screen(world, 2)) as [QueueMessage, QueueMessage];
    const broken = { ...bad, message_id: 'msg_00000000000000000000000000' };
    const nobody = { ...unknown, delivery_id: 'dlv_00000000000000000000000000' };
    const failed = await deliverBatch(world.deliver, [good, broken, nobody], world.clock.now() + 30_000);
    expect([...failed]).toEqual([broken]);
    expect(world.posts.map(({ deliveryId }) => deliveryId)).toEqual([good.delivery_id]);
    expect(world.problems).toEqual(['a delivery could not be attempted: Error: A delivery without its message']);
  });

  it('an outcome that cannot be held against its endpoint changes nothing for the delivery', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    world.receiver = () => answers(world.posts.length === 1 ? 500 : 200);
    const [queueMessage] = (await screen(world)) as [QueueMessage];
    const states = { ...world.deliver.states, saveHealth: () => Promise.reject(new Error('throttled')) };
    await world.live(MINUTE, { ...world.deliver, states });
    expect(world.attempts.map(({ status }) => status)).toEqual(['pending', 'delivered']);
    expect(await statusOf(world, queueMessage)).toBe('delivered');
    expect(world.problems).toContain('an outcome was not held for or against its endpoint: Error: throttled');
  });

  /** A sender that dies before it gives its places back. */
  const withoutReturn = (world: MemoryDeliveryWorld) => ({
    ...world.deliver.states,
    giveBack: () => Promise.reject(new Error('killed')),
  });

  describe('a dispatcher of the version before, after a rollback', () => {
    it('fails what has its message inside, without using up an attempt; it is delivered once the newer one is back', async () => {
      const world = memoryDeliveryWorld();
      const { webhook_id } = await world.register(['transaction.screened']);
      const older: MemoryDeliveryWorld['deliver'] = {
        ...world.deliver,
        queued: {
          // It knew messages only as separate items.
          load: async (queueMessages) => {
            const found = await world.deliver.queued.load(queueMessages);
            return { ...found, delivery: (each) => ({ ...found.delivery(each), message: undefined }) };
          },
        },
      };
      const [queueMessage] = (await screen(world)) as [QueueMessage];
      expect(queueMessage.is_packed).toBe(true);
      expect(await deliverBatch(older, [queueMessage], world.clock.now() + 30_000)).toEqual(new Set([queueMessage]));
      await world.live(DAY, older);
      expect(world.posts).toHaveLength(0);
      expect((await world.find(queueMessage))?.state).toMatchObject({ status: 'pending', attempt: 0 });

      await world.live(17 * MINUTE);
      expect(world.posts.map(({ endpoint, attempt }) => [endpoint.webhook_id, attempt])).toEqual([[webhook_id, 1]]);
      expect(await statusOf(world, queueMessage)).toBe('delivered');
    });
  });
});

describe('delivery calls', () => {
  const SECONDS = 20;
  /** Average times in milliseconds, as on two busy cores, where deliveries overlap more than on AWS. */
  const TABLE_CALL_MS = 15;
  const POST_MS = 40;
  const STREAM_MS = 30;
  const QUEUE_MS = 30;
  const DISPATCHERS = 6;

  /**
   * Commits events at a rate and delivers them to one endpoint: the relay takes one batch of the stream after the other,
   * and dispatchers run beside each other, of which the one that was busy last comes first, as with Lambda.
   */
  async function deliverAtRate(perSecond: number) {
    const random = seededRandom(perSecond);
    const world = memoryDeliveryWorld({ random });
    const { sleep, until } = virtualTime(world.clock, world.pass);
    const about = (ms: number): Promise<void> => sleep(ms * (0.5 + random()));
    await world.register(['transaction.screened']);

    let calls = 0;
    const counted = async <Value>(_call: string, apply: () => Promise<Value>): Promise<Value> => {
      calls++;
      await about(TABLE_CALL_MS);
      return apply();
    };
    let [inFlight, mostInFlight] = [0, 0];
    world.receiver = async () => {
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      await about(POST_MS);
      inFlight--;
      return answers(200);
    };

    const events = perSecond * SECONDS;
    const committed: number[] = [];
    const commit = async (): Promise<void> => {
      for (let sent = 0; sent < events; sent++) {
        await sleep((-Math.log(1 - random()) * 1_000) / perSecond);
        committed.push(world.clock.now());
      }
    };

    const relay = {
      ...world.relay,
      endpoints: interpose(world.relay.endpoints, counted),
      messages: interpose(world.relay.messages, counted),
      deliveries: interpose(world.relay.deliveries, counted),
    };
    const relayAll = async (): Promise<void> => {
      for (let relayed = 0; relayed < events; ) {
        await sleep(STREAM_MS);
        const batch = committed.splice(0).map((committedAtMs, index) => {
          const raw = tellScreened(world.accountId, screened(committedAtMs));
          return { sequence: String(index), committedAtMs, raw };
        });
        if (batch.length > 0) await relayBatch(relay, batch);
        relayed += batch.length;
      }
    };

    const dispatcher = (): DeliverDeps => ({
      ...world.deliver,
      kept: new Map(),
      pause: sleep,
      endpoints: interpose(world.deliver.endpoints, counted),
      states: interpose(world.deliver.states, counted),
      deliveries: interpose(world.deliver.deliveries, counted),
      queued: interpose(world.deliver.queued, counted),
    });
    const idle = Array.from({ length: DISPATCHERS }, dispatcher);
    const dispatchAll = async (): Promise<void> => {
      const running = new Set<Promise<void>>();
      while (world.attempts.length < events) {
        await sleep(5);
        const due = world.queued.filter(({ atMs }) => atMs + QUEUE_MS <= world.clock.now()).slice(0, 10);
        const deps = due.length > 0 ? idle.pop() : undefined;
        if (!deps) continue;
        for (const each of due) world.queued.splice(world.queued.indexOf(each), 1);
        const batch = due.map(({ queueMessage }) => queueMessage);
        const run = deliverBatch(deps, batch, world.clock.now() + 30_000).then(() => {
          idle.push(deps);
          running.delete(run);
        });
        running.add(run);
      }
      await Promise.all(running);
    };

    await until(Promise.all([commit(), relayAll(), dispatchAll()]));
    return { events, calls, posts: world.posts.length, mostInFlight };
  }

  // Most are in flight at the highest rate; the other two wait for the full sizes.
  it.each(IS_FULL ? [10, 15, 20] : [20])(
    'at %i events per second to one endpoint takes five table calls or fewer',
    async (perSecond) => {
      const { events, calls, posts, mostInFlight } = await deliverAtRate(perSecond);
      expect(posts).toBe(events);
      expect(mostInFlight).toBeLessThanOrEqual(MAX_IN_FLIGHT);
      expect(calls / events).toBeLessThanOrEqual(5);
    },
  );
});

describe('delivery faults', () => {
  const MOMENTS: readonly Moment[] = ['before', 'after'];
  const sweep = (count: number) =>
    MOMENTS.flatMap((moment) => Array.from({ length: count }, (_, at) => [moment, at] as const));

  const DISPATCH_PORTS: readonly (keyof DeliverDeps)[] = [
    'endpoints',
    'states',
    'deliveries',
    'queued',
    'queue',
    'post',
  ];

  /** Calls of a delivery that succeeds: delivery with its message and endpoint, slot, claim, POST, conclude. */
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
});

describe('each at most', () => {
  it('runs every item once and never more than allowed at the same time, in whatever order they end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), fc.nat(9), async (scheduler, limit, count) => {
        const items = Array.from({ length: count }, (_, i) => i);
        const done: number[] = [];
        let [running, most] = [0, 0];
        const all = eachAtMost(limit, items, async (item) => {
          most = Math.max(most, ++running);
          await scheduler.schedule(Promise.resolve());
          running--;
          done.push(item);
        });
        await scheduler.waitFor(all);
        expect(done.sort((a, b) => a - b)).toEqual(items);
        expect(most).toBeLessThanOrEqual(limit);
      }),
      { numRuns: sized(50, 15) },
    );
  });

  it('rejects with a failure only after all others have ended', async () => {
    const ended: number[] = [];
    const all = eachAtMost(2, [1, 2, 3, 4], async (item) => {
      await Promise.resolve();
      if (item === 1) throw new Error('the first fails');
      ended.push(item);
    });
    await expect(all).rejects.toThrow('the first fails');
    expect(ended).toEqual([2, 3, 4]);
  });
});
