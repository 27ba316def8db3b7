import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { MAX_IN_FLIGHT } from '../../../shared/domain/webhooks/endpoint-state';
import { type DeliverDeps, deliverBatch } from '../../../shared/usecases/webhooks/deliver-webhooks';
import { relayBatch } from '../../../shared/usecases/webhooks/relay-batch';
import { screened, tellScreened } from '../../support/changes';
import { answers } from '../../support/delivery-scene';
import { interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { virtualTime } from '../../support/virtual-time';

const SECONDS = 20;
/** What things take on average, in milliseconds: as on two busy cores, where deliveries overlap more than on AWS. */
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

it.each([10, 15, 20])('at %i events per second to one endpoint takes five table calls or fewer', async (perSecond) => {
  const { events, calls, posts, mostInFlight } = await deliverAtRate(perSecond);
  expect(posts).toBe(events);
  expect(mostInFlight).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  expect(calls / events).toBeLessThanOrEqual(5);
});
