import type { RelayOrder } from '../../../shared/domain/webhooks/relay-order';
import { healRelay } from '../../../shared/usecases/webhooks/heal-relay';
import { screened, tellScreened } from '../../support/changes';
import { failingAt } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

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
