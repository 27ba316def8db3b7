import fc from 'fast-check';
import { unavailable } from '../../shared/domain/errors';
import type { QueueMessage } from '../../shared/domain/webhooks/queue-message';
import { deliverBatch } from '../../shared/usecases/webhooks/deliver-webhooks';
import { relayBatch } from '../../shared/usecases/webhooks/relay-events';
import { screened, tellScreened } from '../support/webhooks/changes';
import { answers, MINUTE } from '../support/webhooks/delivery-scene';
import { deliveryWorld } from '../support/webhooks/delivery-world';
import { printMeasurement, sized } from './soak-size';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const VISIBILITY_MS = 3 * MINUTE;

/** Chances between 0 and 1 that a seed decides, so that a run that failed can be had again. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class Killed extends Error {}

type World = Awaited<ReturnType<typeof deliveryWorld>>;

/** Calls of a port fail with a chance: half of them before they are carried out, half when only the answer is lost. */
function flaky<Port extends object>(port: Port, random: () => number, chance: number, error: () => Error): Port {
  const wrapped = Object.entries(port).map(([name, run]) => [
    name,
    async (...args: unknown[]) => {
      const fate = random();
      if (fate < chance / 2) throw error();
      const result = await (run as (...args: unknown[]) => Promise<unknown>)(...args);
      if (fate < chance) throw error();
      return result;
    },
  ]);
  return { ...port, ...Object.fromEntries(wrapped) };
}

const refused = () => unavailable(new Error('injected'));

/** Relays like the stream does: a batch whose function was killed, and records that failed, are handed over again. */
async function relayLikeTheStream(world: World, count: number, random: () => number, faults: boolean): Promise<void> {
  const lossy = {
    send: (queueMessages: Parameters<typeof world.relay.queue.send>[0]) =>
      world.relay.queue.send(faults ? queueMessages.filter(() => random() >= 0.05) : queueMessages),
  };
  const deps = {
    ...world.relay,
    queue: lossy,
    ...(faults
      ? {
          messages: flaky(world.relay.messages, random, 0.05, refused),
          deliveries: flaky(flaky(world.relay.deliveries, random, 0.05, refused), random, 0.002, () => new Killed()),
        }
      : {}),
  };
  let records = Array.from({ length: count }, (_, index) => ({
    sequence: String(index),
    committedAtMs: world.clock.now(),
    raw: tellScreened(world.accountId, screened(world.clock.now(), { user_id: `user-${index}` })),
  }));
  while (records.length > 0) {
    const batch = records.slice(0, 100);
    const { failed } = await relayBatch(deps, batch).catch(() => ({ failed: batch.map(({ sequence }) => sequence) }));
    records = [...batch.filter(({ sequence }) => failed.includes(sequence)), ...records.slice(100)];
  }
}

/** The dispatcher as the queue calls it: what it did not acknowledge becomes visible again. */
function dispatchLikeTheQueue(world: World, random: () => number, faults: boolean, copies: number) {
  const deps = {
    ...world.deliver,
    ...(faults
      ? {
          deliveries: flaky(world.deliver.deliveries, random, 0.05, refused),
          queued: flaky(world.deliver.queued, random, 0.05, refused),
          states: flaky(world.deliver.states, random, 0.05, refused),
          queue: {
            send: (queueMessages: Parameters<typeof world.deliver.queue.send>[0]) =>
              world.deliver.queue.send(queueMessages.filter(() => random() >= 0.05)),
          },
        }
      : {}),
  };
  return async (): Promise<number> => {
    const due = world.queued.filter(({ atMs }) => atMs <= world.clock.now());
    const left = world.queued.filter(({ atMs }) => atMs > world.clock.now());
    world.queued.splice(0, world.queued.length, ...left);
    const queueMessages = due.flatMap(({ queueMessage }) =>
      Array.from({ length: copies }, () => ({ ...queueMessage })),
    );
    const batches = Array.from({ length: Math.ceil(queueMessages.length / 10) }, (_, at) =>
      queueMessages.slice(at * 10, at * 10 + 10),
    );
    for (const batch of batches) {
      const failed: Iterable<QueueMessage> = await deliverBatch(deps, batch, world.clock.now() + 30_000);
      for (const queueMessage of failed) world.queued.push({ queueMessage, atMs: world.clock.now() + VISIBILITY_MS });
    }
    return due.length;
  };
}

/** Lives on until nothing has moved for longer than the longest wait between two attempts; what is idle passes faster. */
async function runDown(world: World, dispatch: () => Promise<number>): Promise<void> {
  const longestWaitMs = 1.2 * DAY + HOUR;
  let stepMs = MINUTE;
  for (let quietMs = 0; quietMs < longestWaitMs; ) {
    const moved = await dispatch();
    const { queued } = await world.sweep();
    const isIdle = moved === 0 && queued === 0;
    stepMs = isIdle ? Math.min(2 * stepMs, HOUR / 2) : MINUTE;
    quietMs = isIdle && world.queued.length === 0 ? quietMs + stepMs : 0;
    world.pass(stepMs);
  }
}

const byEvent = (world: World) => {
  const posts = new Map<string, Set<string>>();
  for (const { message } of world.posts) {
    const bytes = posts.get(message.message_id) ?? new Set();
    posts.set(message.message_id, bytes.add(Buffer.from(message.body).toString('base64')));
  }
  return posts;
};

it('3: killed relays, lost messages, failed writes and 20 % of 500s: every event arrives, none was invented', async () => {
  const events = sized(10_000, 150);
  const seed = fc.sample(fc.nat(), 1)[0] ?? 0;
  const random = dice(seed);
  const world = await deliveryWorld({ random });
  await world.register(['transaction.screened']);
  let delivered = 0;
  const arrived = new Set<string>();
  world.receiver = ({ message }) => {
    if (random() < 0.2) return answers(500);
    if (random() < 0.02) throw new Killed();
    delivered++;
    arrived.add(message.message_id);
    return answers(200);
  };
  await relayLikeTheStream(world, events, random, true);
  await runDown(world, dispatchLikeTheQueue(world, random, true, 1));
  const duplicates = delivered - arrived.size;
  printMeasurement(
    `seed ${seed}: ${arrived.size}/${events} events delivered, ${duplicates} twice, ${world.posts.length} POSTs`,
  );
  const seen = byEvent(world);
  expect([arrived.size, seen.size]).toEqual([events, events]);
  expect([...seen.values()].every((bytes) => bytes.size === 1)).toBe(true);
}, 5_400_000);

it('4: every queue message comes twice: not one POST more', async () => {
  const events = sized(2_000, 60);
  const random = dice(7);
  const world = await deliveryWorld({ random });
  await world.register(['transaction.screened']);
  await relayLikeTheStream(world, events, random, false);
  await runDown(world, dispatchLikeTheQueue(world, random, false, 2));
  printMeasurement(`${events} events, every message twice: ${world.posts.length} POSTs`);
  expect([world.posts.length, byEvent(world).size]).toEqual([events, events]);
}, 900_000);
