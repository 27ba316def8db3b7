import {
  EMPTY_REGISTRY,
  promote,
  type RegistryState,
  register,
  rollBack,
  startShadow,
} from '../../../shared/domain/models/registry-state';
import type { ScoringModel } from '../../../shared/domain/screening/screen';
import { type FollowModelsDeps, modelFollower } from '../../../shared/usecases/screening/followers';

const cause = { at: '2026-11-14T09:30:00.000Z', by: 'test', reason: 'because' };
const SECOND = 1_000;

/** A model that can be told from others. */
const named = (name: string): ScoringModel & { name: string } => ({
  name,
  opinion: () => ({ version: name, log_odds: 0, parts: [], detail: '' }),
});

/** A registry whose answers come when the test says so. */
function registryOf() {
  let state: RegistryState = EMPTY_REGISTRY;
  let writes = 0;
  let failure: Error | undefined;
  let gate: Promise<void> = Promise.resolve();
  const asked: string[] = [];
  return {
    asked,
    set: (next: RegistryState) => {
      state = next;
      writes++;
    },
    fail: (error?: Error) => {
      failure = error;
    },
    /** Until the returned function is called, nothing is answered. */
    hold: () => {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    port: {
      stateSince: async (etag: string | undefined) => {
        asked.push(`state ${etag ?? 'first'}`);
        const answer = etag === String(writes) ? ('unchanged' as const) : { state, etag: String(writes) };
        await gate;
        if (failure) throw failure;
        return answer;
      },
      file: async (version: string) => {
        asked.push(version);
        return Buffer.from(version);
      },
    },
  };
}

function following(over: Partial<FollowModelsDeps> = {}) {
  const registry = registryOf();
  const failures: unknown[] = [];
  let nowMs = 1_000_000;
  const follower = modelFollower({
    stage: 'sandbox',
    clock: { now: () => nowMs },
    budgetMs: (ms) => ms,
    base: named('base'),
    own: registry.port,
    open: (bytes) => {
      const name = Buffer.from(bytes).toString();
      if (name.startsWith('broken')) throw new Error('model artefact is damaged');
      return named(name);
    },
    onFailure: (error) => failures.push(error),
    ...over,
  });
  const name = (model: ScoringModel | undefined) => (model as { name?: string } | undefined)?.name;
  return {
    registry,
    failures,
    /** A request: waits where it must. */
    refresh: () => follower.current(),
    pass: (ms: number) => {
      nowMs += ms;
    },
    champion: () => name(follower.latest().champion),
    shadow: () => name(follower.latest().shadow?.model),
  };
}

const withChampion = (version: string, state = EMPTY_REGISTRY) =>
  promote(register(state, version, 'import', cause), version, cause);

/** Lets everything that is already possible happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('starts with the base model and waits for the first look', async () => {
  const { registry, refresh, champion } = following();
  registry.set(withChampion('m1'));
  expect(champion()).toBe('base');
  await refresh();
  expect(champion()).toBe('m1');
});

it('looks every half minute at the most, and then waits for nothing', async () => {
  const { registry, refresh, pass, champion } = following();
  await refresh();
  expect(registry.asked).toEqual(['state first']);
  pass(29 * SECOND);
  expect(refresh()).not.toBeInstanceOf(Promise);
  expect(registry.asked).toHaveLength(1);
  registry.set(withChampion('m1'));
  pass(SECOND);
  expect(refresh()).not.toBeInstanceOf(Promise);
  expect(champion()).toBe('base');
  await settle();
  expect(champion()).toBe('m1');
});

it('waits where its last look is a minute old: no score comes from a model of long ago', async () => {
  const { registry, refresh, pass, champion } = following();
  registry.set(withChampion('m1'));
  await refresh();
  registry.set(rollBack(withChampion('m1'), cause));
  pass(60 * SECOND);
  await refresh();
  expect(champion()).toBe('base');
});

it('waits a quarter of a second at the most', async () => {
  const { registry, refresh, champion } = following();
  registry.set(withChampion('m1'));
  const answer = registry.hold();
  await refresh();
  expect(champion()).toBe('base');
  answer();
  await settle();
  expect(champion()).toBe('m1');
});

it('fetches a model once, and nothing while the registry stays as it is', async () => {
  const { registry, refresh, pass, champion, shadow } = following();
  registry.set(withChampion('m1'));
  await refresh();
  pass(60 * SECOND);
  await refresh();
  registry.set(startShadow(register(withChampion('m1'), 'm2', 'import', cause), 'm2', cause));
  pass(60 * SECOND);
  await refresh();
  expect([champion(), shadow()]).toEqual(['m1', 'm2']);
  expect(registry.asked).toEqual(['state first', 'm1', 'state 1', 'state 1', 'm2']);
});

it('keeps the last good model when one does not load, says so, and tries again', async () => {
  const { registry, refresh, pass, champion, failures } = following();
  registry.set(withChampion('m1'));
  await refresh();
  registry.set(withChampion('broken', withChampion('m1')));
  pass(60 * SECOND);
  await refresh();
  expect(champion()).toBe('m1');
  expect(failures).toEqual([expect.objectContaining({ message: 'model artefact is damaged' })]);
  registry.set(withChampion('m3', withChampion('m1')));
  pass(5 * SECOND);
  await refresh();
  expect(champion()).toBe('m3');
});

it('takes a champion back although the model in shadow does not load', async () => {
  const { registry, refresh, pass, champion, shadow, failures } = following();
  const tried = startShadow(register(withChampion('m1'), 'broken', 'import', cause), 'broken', cause);
  registry.set(tried);
  await refresh();
  expect([champion(), shadow(), failures.length]).toEqual(['m1', undefined, 1]);
  registry.set(rollBack(tried, cause));
  pass(60 * SECOND);
  await refresh();
  expect([champion(), shadow(), failures.length]).toEqual(['base', undefined, 2]);
});

it('keeps scoring while the registry cannot be reached, without asking at every request', async () => {
  const { registry, refresh, pass, champion, failures } = following();
  registry.set(withChampion('m1'));
  await refresh();
  registry.fail(new Error('no answer'));
  pass(60 * SECOND);
  await refresh();
  await refresh();
  expect(registry.asked).toHaveLength(3);
  expect(champion()).toBe('m1');
  expect(failures).toHaveLength(1);
});

it('does not fall back to what an earlier look, frozen on the way, saw', async () => {
  const { registry, refresh, pass, champion } = following();
  registry.set(withChampion('m1'));
  await refresh();
  pass(30 * SECOND);
  const thaw = registry.hold();
  expect(refresh()).not.toBeInstanceOf(Promise);
  registry.set(withChampion('m2', withChampion('m1')));
  // The first look is still on its way; the next one overtakes it.
  pass(40 * SECOND);
  registry.hold()();
  await refresh();
  expect(champion()).toBe('m2');
  thaw();
  await settle();
  expect(champion()).toBe('m2');
});

it('gives production nothing that sandbox taught', async () => {
  const { registry, refresh, champion } = following({ stage: 'production' });
  registry.set(promote(register(EMPTY_REGISTRY, 's', 'sandbox', cause), 's', cause));
  await refresh();
  expect(champion()).toBe('base');
});
