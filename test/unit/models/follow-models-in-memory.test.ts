import { claimTeaching, promote, register, rollBack } from '../../../shared/domain/models/registry-state';
import type { ScoringModel } from '../../../shared/domain/screening/screen';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry, registryPrefix } from '../../../shared/store/models/model-registry';
import { modelFollower } from '../../../shared/usecases/screening/followers';
import { failing, interpose } from '../../support/memory/interpose';

const MINUTE = 60_000;
const cause = { at: '2026-11-14T09:30:00.000Z', by: 'test', reason: 'because' };
const named = (name: string): ScoringModel & { readonly name: string } => ({
  name,
  opinion: () => ({ version: name, log_odds: 0, parts: [], detail: '' }),
});

/** A follower of a registry in memory, whose bucket can be out of reach. */
function world() {
  const bucket = memoryObjects();
  let isDown = false;
  const reads: string[] = [];
  const watched = interpose(
    bucket,
    failing((call) => {
      reads.push(call);
      return isDown ? 'before' : undefined;
    }),
  );
  const registry = modelRegistry(bucket, registryPrefix('sandbox'));
  const productions = modelRegistry(bucket);
  const failures: unknown[] = [];
  let nowMs = Date.UTC(2026, 10, 14);
  const follower = modelFollower({
    stage: 'sandbox',
    clock: { now: () => nowMs },
    budgetMs: (ms) => ms,
    base: named('base'),
    own: modelRegistry(watched, registryPrefix('sandbox')),
    leader: modelRegistry(watched),
    open: (bytes) => named(Buffer.from(bytes).toString()),
    onFailure: (error) => void failures.push(error),
  });
  return {
    ...{ registry, productions, reads, failures },
    setDown: (value: boolean): void => {
      isDown = value;
    },
    async promoted(version: string, by = registry): Promise<void> {
      await by.store(version, { artefact: version });
      await by.change((state) => promote(register(state, version, 'import', cause), version, cause));
    },
    /** The champion of the next request, after so long. */
    async championAfter(ms: number): Promise<string | undefined> {
      nowMs += ms;
      await follower.current();
      return (follower.latest().champion as ReturnType<typeof named> | undefined)?.name;
    },
  };
}

it('scores with the base model of an empty registry, then with each champion, also after a rollback', async () => {
  const { registry, promoted, championAfter } = world();
  expect(await championAfter(0)).toBe('base');
  await promoted('m1');
  expect(await championAfter(MINUTE)).toBe('m1');
  await promoted('m2');
  expect(await championAfter(MINUTE)).toBe('m2');
  await registry.change((state) => rollBack(state, cause));
  expect(await championAfter(MINUTE)).toBe('m1');
});

it('opens nothing again while the registry is unchanged', async () => {
  const { reads, promoted, championAfter } = world();
  await promoted('m1');
  await championAfter(0);
  // Production's state, its own, and the model.
  expect(reads).toEqual(['get', 'get', 'get']);
  await championAfter(MINUTE);
  expect(reads).toHaveLength(5);
});

describe('in sandbox', () => {
  it("follows production's registry once there is one, with one read each time, also to the base model", async () => {
    const { productions, reads, promoted, championAfter } = world();
    await promoted('mine');
    expect(await championAfter(0)).toBe('mine');
    await promoted('live', productions);
    expect(await championAfter(MINUTE)).toBe('live');
    reads.length = 0;
    await promoted('mine-2');
    expect(await championAfter(MINUTE)).toBe('live');
    expect(reads).toEqual(['get']);
    await productions.change((state) => rollBack({ ...state, learns_from: 'production' }, cause));
    expect(await championAfter(MINUTE)).toBe('base');
  });

  it("keeps production's champion while the bucket is out of reach", async () => {
    const { productions, setDown, promoted, championAfter } = world();
    await promoted('mine');
    await promoted('live', productions);
    await championAfter(0);
    setDown(true);
    expect(await championAfter(MINUTE)).toBe('live');
  });

  it('goes on with its own while only sandbox ever taught the other, even if that is its copy', async () => {
    const { registry, productions, promoted, championAfter } = world();
    await promoted('old', productions);
    await productions.change((state) => claimTeaching(state, 'sandbox', cause));
    expect(await championAfter(0)).toBe('base');
    const { state } = await productions.state();
    await registry.store('old', { artefact: 'old' });
    await registry.change(() => state);
    expect(await championAfter(MINUTE)).toBe('old');
    await promoted('new');
    expect(await championAfter(MINUTE)).toBe('new');
  });
});

it('keeps its champion while the bucket is out of reach, reports it, and catches up', async () => {
  const { failures, setDown, promoted, championAfter } = world();
  await promoted('m1');
  await championAfter(0);
  await promoted('m2');
  setDown(true);
  expect(await championAfter(MINUTE)).toBe('m1');
  expect(failures).toMatchObject([{ code: 'unavailable' }]);
  setDown(false);
  expect(await championAfter(MINUTE)).toBe('m2');
});
