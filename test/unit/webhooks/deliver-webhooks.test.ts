import type { DeliveryOutcome } from '../../../shared/domain/webhooks/delivery-outcome';
import type { QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { RETRY_DELAYS_MS } from '../../../shared/domain/webhooks/retry-schedule';
import { deliverBatch } from '../../../shared/usecases/webhooks/deliver-webhooks';
import { screened, tellScreened } from '../../support/changes';
import { answers, MINUTE } from '../../support/delivery-scene';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

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
    let [inFlight, most] = [0, 0];
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
    // Who finds no place goes away again; who has one waits for the receiver.
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
  ])('is left alone after %s in a row but for a probe, which costs nobody an attempt', async (_what, opensAt, bad) => {
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
  });

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
  const states = { ...world.deliver.states, judge: () => Promise.reject(new Error('throttled')) };
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
        // It knew messages only as items of their own.
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
