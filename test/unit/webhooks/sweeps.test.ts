import type { DelayedMessage, QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { newId } from '../../../shared/runtime/ids';
import { redriveDeadLetters } from '../../../shared/usecases/webhooks/redrive-dead-letters';
import { sweepDeliveries } from '../../../shared/usecases/webhooks/sweep-deliveries';
import { type MemoryDeliveryWorld, memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { screened, tellScreened } from '../../support/webhooks/changes';
import { answers, MINUTE } from '../../support/webhooks/delivery-scene';

describe('sweep deliveries', () => {
  async function screen(world: MemoryDeliveryWorld, count: number): Promise<void> {
    const orders = Array.from({ length: count }, () => tellScreened(world.accountId, screened(world.clock.now())));
    await world.relayOrders(...orders);
  }

  it('hints that were lost are sent again within two minutes', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 25);
    world.queued.length = 0;
    await world.sweep();
    expect(world.queued).toEqual([]);
    await world.live(2 * MINUTE);
    expect(world.posts).toHaveLength(25);
  });

  it('two sweeps at once queue each delivery once, over several pages', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 300);
    world.queued.length = 0;
    world.pass(MINUTE);
    const reports = await Promise.all([world.sweep(), world.sweep()]);
    expect(reports.map(({ queued }) => queued).reduce((a, b) => a + b)).toBe(300);
    expect(new Set(world.queued.map(({ queueMessage }) => queueMessage.delivery_id)).size).toBe(300);
    expect(reports[0]).toMatchObject({ unsent: 0, closed: 0, isUnfinished: false, oldestDueMs: MINUTE });
  });

  it('one that cannot be written costs the others nothing, and its turn comes with the next sweep', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 20);
    const [{ queueMessage: unlucky }] = world.queued as [(typeof world.queued)[0]];
    world.queued.length = 0;
    world.pass(MINUTE);
    const problems: unknown[] = [];
    const step: typeof world.sweepDeps.deliveries.step = async (before, change) => {
      if (before.delivery_id === unlucky.delivery_id) throw new Error('timed out');
      return world.sweepDeps.deliveries.step(before, change);
    };
    const failing = {
      ...world.sweepDeps,
      deliveries: { step },
      report: (_: string, error: unknown) => problems.push(error),
    };
    const report = await sweepDeliveries(failing, world.clock.now() + MINUTE);
    expect(report).toMatchObject({ queued: 19, isUnfinished: true });
    expect(problems).toEqual([new Error('timed out')]);
    expect(world.queued).toHaveLength(19);
    expect(await world.sweep()).toMatchObject({ queued: 1, isUnfinished: false });
  });

  it('a shard that cannot be read costs the others nothing', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 40);
    world.queued.length = 0;
    world.pass(MINUTE);
    const [unreadable] = world.sweepDeps.shards;
    const problems: string[] = [];
    const due: typeof world.sweepDeps.watch.due = async (shard, ...rest) => {
      if (shard === unreadable) throw new Error('timed out');
      return world.sweepDeps.watch.due(shard, ...rest);
    };
    const failing = { ...world.sweepDeps, watch: { due }, report: (problem: string) => void problems.push(problem) };
    const { queued, isUnfinished } = await sweepDeliveries(failing, world.clock.now() + MINUTE);
    expect(problems).toEqual(['a shard of due deliveries could not be swept']);
    expect(isUnfinished).toBe(true);
    expect(queued).toBeGreaterThan(20);
    expect(await world.sweep()).toMatchObject({ queued: 40 - queued, isUnfinished: false });
  });

  it('stops when its time is up, and the next one goes on', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 20);
    world.queued.length = 0;
    world.pass(MINUTE);
    expect(await sweepDeliveries(world.sweepDeps, world.clock.now())).toMatchObject({ queued: 0, isUnfinished: true });
    expect(await world.sweep()).toMatchObject({ queued: 20, isUnfinished: false });
  });

  it('a sender that died is replaced when its lease is over; what it did not write down is sent again, the same', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 1);
    const dying = {
      ...world.deliver,
      post: async (outgoing: Parameters<typeof world.deliver.post>[0]): Promise<never> => {
        await world.deliver.post(outgoing);
        throw new Error('killed between POST and record');
      },
    };
    await world.dispatchDue(dying);
    expect(world.posts).toHaveLength(1);
    await world.live(3 * MINUTE);
    expect(world.posts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const [first, second] = world.posts;
    expect(second?.message).toEqual(first?.message);
    expect(world.posts[1]!.atMs - world.posts[0]!.atMs).toBeGreaterThanOrEqual(30_000);
  });

  it('one whose sender died in the tenth attempt is failed', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 1);
    const [{ queueMessage }] = world.queued as [(typeof world.queued)[0]];
    world.receiver = () => {
      if (world.posts.length === 10) throw new Error('killed');
      return answers(500);
    };
    await world.live(5 * 24 * 60 * MINUTE);
    expect(world.posts).toHaveLength(10);
    expect((await world.find(queueMessage))?.state).toMatchObject({
      status: 'failed',
      attempt: 10,
      reason: 'attempts_exhausted',
    });
  });

  it('behind a long queue it does not make the queue longer and longer', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    await screen(world, 1);
    world.queued.length = 0;
    for (let minute = 0; minute < 120; minute++) {
      world.pass(MINUTE);
      await world.sweep();
    }
    // At 1, 2, 4, 8, 16 minutes after the one before, and every 16 from then on.
    expect(world.queued.length).toBeLessThan(12);
    expect(world.queued.length).toBeGreaterThan(7);
  });
});

describe('redrive dead letters', () => {
  const NOW = Date.UTC(2026, 2, 1);
  const queueMessage = (): QueueMessage => ({
    account_id: 'acc_1',
    webhook_id: newId('wh', NOW),
    delivery_id: newId('dlv', NOW),
    message_id: newId('msg', NOW),
    attempt: 3,
  });

  /** A queue of dead letters: what was taken and not removed is hidden until all others have been handed out. */
  function deadLetters(bodies: readonly string[]) {
    const letters = new Map(bodies.map((body, i) => [`letter-${i}`, body]));
    let hidden = new Set<string>();
    return {
      letters,
      async take() {
        const visible = [...letters].filter(([id]) => !hidden.has(id)).slice(0, 3);
        hidden = new Set(visible.length === 0 ? [] : [...hidden, ...visible.map(([id]) => id)]);
        return visible.map(([id, body]) => ({ id, body, remove: async () => void letters.delete(id) }));
      },
    };
  }

  it('moves letters back, each removed only once the queue has it', async () => {
    const queueMessages = [queueMessage(), queueMessage(), queueMessage(), queueMessage(), queueMessage()];
    const dead = deadLetters(queueMessages.map((each) => JSON.stringify(each)));
    const sent: DelayedMessage[] = [];
    const queue = {
      send: async (some: readonly DelayedMessage[]) => {
        expect(dead.letters.size).toBe(queueMessages.length - sent.length);
        sent.push(...some);
        return 0;
      },
    };
    expect(await redriveDeadLetters({ dead, queue })).toEqual({ moved: 5, unreadable: 0, unsent: 0 });
    expect(sent).toEqual(expect.arrayContaining(queueMessages.map((each) => ({ queueMessage: each, delayMs: 0 }))));
    expect(dead.letters.size).toBe(0);
  });

  it('leaves what is not ours or not readable for a person, and looks at it once', async () => {
    const dead = deadLetters([
      'not json',
      '{}',
      JSON.stringify({ ...queueMessage(), webhook_id: '../x' }),
      JSON.stringify(queueMessage()),
    ]);
    const queue = { send: async () => 0 };
    expect(await redriveDeadLetters({ dead, queue })).toEqual({ moved: 1, unreadable: 3, unsent: 0 });
    expect(dead.letters.size).toBe(3);
  });

  it('leaves what the queue does not take for the next try', async () => {
    const dead = deadLetters([JSON.stringify(queueMessage()), JSON.stringify(queueMessage())]);
    const full = { send: async (some: readonly DelayedMessage[]) => some.length };
    expect(await redriveDeadLetters({ dead, queue: full })).toEqual({ moved: 0, unreadable: 0, unsent: 2 });
    expect(dead.letters.size).toBe(2);
  });

  it('broken off between sending and removing, it sends the letter once more, which does no harm', async () => {
    const dead = deadLetters([JSON.stringify(queueMessage())]);
    const sent: DelayedMessage[] = [];
    const queue = { send: async (some: readonly DelayedMessage[]) => sent.push(...some) * 0 };
    const dying = {
      take: async () =>
        (await dead.take()).map((each) => ({ ...each, remove: () => Promise.reject(new Error('killed')) })),
    };
    await expect(redriveDeadLetters({ dead: dying, queue })).rejects.toThrow('killed');
    // Until what was taken is visible again.
    expect(await dead.take()).toEqual([]);
    expect(await redriveDeadLetters({ dead, queue })).toMatchObject({ moved: 1 });
    expect(sent[0]).toEqual(sent[1]);
  });
});
