import { listFollower } from '../../../shared/usecases/screening/followers';
import { listWorld } from '../../support/list-world';

function followed() {
  const world = listWorld();
  const asked = { lists: 0, held: 0 };
  const failures: unknown[] = [];
  let failure: Error | undefined;
  const follower = listFollower({
    clock: world.deps.clock,
    lists: {
      all: async (account) => {
        asked.lists++;
        if (failure) throw failure;
        return world.deps.lists.all(account);
      },
    },
    held: {
      entriesOf: (account, number) => {
        asked.held++;
        return world.deps.entries.entriesOf(account, number);
      },
    },
    onFailure: (error) => failures.push(error),
  });
  const namesOf = async () => (await follower.current('acc_1')).map(({ name }) => name);
  const fail = (error?: Error) => {
    failure = error;
  };
  return { ...world, asked, failures, follower, namesOf, fail };
}

it('reads an account at most every 30 seconds, and then knows what has changed', async () => {
  const { put, time, asked, namesOf } = followed();
  expect(await namesOf()).toEqual([]);
  await put('vips');
  time.nowMs += 29_999;
  expect([await namesOf(), asked.lists]).toEqual([[], 1]);
  time.nowMs += 1;
  expect([await namesOf(), asked.lists]).toEqual([['vips'], 2]);
});

it('loads the entries of networks only when they changed', async () => {
  const { put, add, time, asked, follower } = followed();
  await put('nets', { type: 'cidr' });
  await add('nets', '203.0.113.0/24');
  await follower.current('acc_1');
  time.nowMs += 30_000;
  await follower.current('acc_1');
  expect(asked).toEqual({ lists: 2, held: 1 });
  await add('nets', '198.51.100.0/24');
  time.nowMs += 30_000;
  const [nets] = await follower.current('acc_1');
  expect([asked.held, nets?.held?.untilMs.size]).toEqual([2, 2]);
});

it('keeps what it knows if a read fails, and tries again after five seconds', async () => {
  const { put, time, failures, asked, namesOf, fail } = followed();
  await put('vips');
  expect(await namesOf()).toEqual(['vips']);
  fail(new Error('throttled'));
  time.nowMs += 30_000;
  expect([await namesOf(), failures.length]).toEqual([['vips'], 1]);
  time.nowMs += 4_999;
  await namesOf();
  expect(asked.lists).toBe(2);
  fail();
  time.nowMs += 1;
  await put('more');
  expect(await namesOf()).toEqual(['more', 'vips']);
});

it('does not pretend to know an account that it could never read', async () => {
  const { namesOf, fail } = followed();
  fail(new Error('throttled'));
  await expect(namesOf()).rejects.toThrow('throttled');
});

it('does not fall back to what an earlier read, frozen on the way, saw', async () => {
  const { deps, put, time } = listWorld();
  let thaw = () => {};
  let gate: Promise<void> | undefined;
  const all = async (accountId: string) => {
    const read = await deps.lists.all(accountId);
    await gate;
    return read;
  };
  const follower = listFollower({ clock: deps.clock, lists: { all }, held: deps.entries, onFailure: () => undefined });
  const namesNow = () => follower.latest('acc_1')?.map(({ name }) => name);
  await follower.current('acc_1');
  time.nowMs += 30_000;
  gate = new Promise((resolve) => {
    thaw = resolve;
  });
  const frozen = follower.current('acc_1');
  await put('vips');
  // The next read overtakes it.
  gate = undefined;
  time.nowMs += 5_000;
  await follower.current('acc_1');
  expect(namesNow()).toEqual(['vips']);
  thaw();
  await frozen;
  expect(namesNow()).toEqual(['vips']);
});
