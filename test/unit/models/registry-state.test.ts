import fc from 'fast-check';
import {
  championFor,
  claimTeaching,
  EMPTY_REGISTRY,
  type LabelSource,
  leadsSandbox,
  modelIn,
  promote,
  type RegistryState,
  register,
  retire,
  rollBack,
  shadowFor,
  startShadow,
} from '../../../shared/domain/models/registry-state';

const cause = { at: '2026-11-14T09:30:00.000Z', by: 'test', reason: 'because' };
const registered = (...versions: string[]): RegistryState =>
  versions.reduce((state, version) => register(state, version, 'production', cause), EMPTY_REGISTRY);
const statusOf = (state: RegistryState, version: string) =>
  state.models.find((model) => model.version === version)?.status;

describe('the life of a model', () => {
  it('goes from candidate through shadow to champion, and every step is written down', () => {
    const state = promote(startShadow(registered('a'), 'a', cause), 'a', cause);
    expect(championFor(state, 'production')?.version).toBe('a');
    expect(state.changes.map(({ from, to }) => [from, to])).toEqual([
      [null, 'candidate'],
      ['candidate', 'shadow'],
      ['shadow', 'champion'],
    ]);
    expect(state.changes.every(({ by, reason, at }) => by === 'test' && reason === 'because' && at === cause.at)).toBe(
      true,
    );
  });

  it('retires the old champion when another is promoted, and a rollback brings it back', () => {
    const both = promote(promote(registered('a', 'b'), 'a', cause), 'b', cause);
    expect(statusOf(both, 'a')).toBe('retired');
    const back = rollBack(both, cause);
    expect(modelIn(back, 'champion')?.version).toBe('a');
    expect(statusOf(back, 'b')).toBe('retired');
  });

  it('rolls back to the base model in the end, and no further', () => {
    const base = rollBack(promote(registered('a'), 'a', cause), cause);
    expect(modelIn(base, 'champion')).toBeUndefined();
    expect(() => rollBack(base, cause)).toThrow(/base model/);
  });

  it('keeps one shadow: a newer candidate takes its place', () => {
    const state = startShadow(startShadow(registered('a', 'b'), 'a', cause), 'b', cause);
    expect(statusOf(state, 'a')).toBe('retired');
    expect(shadowFor(state, 'sandbox')?.version).toBe('b');
  });

  it.each([
    ['a version twice', () => register(registered('a'), 'a', 'production', cause), /already/],
    ['an unknown version', () => promote(registered('a'), 'b', cause), /no model b/],
    ['the champion as shadow', () => startShadow(promote(registered('a'), 'a', cause), 'a', cause), /only a candidate/],
    ['the champion once more', () => promote(promote(registered('a'), 'a', cause), 'a', cause), /already/],
    ['retiring the champion', () => retire(promote(registered('a'), 'a', cause), 'a', cause), /roll back/],
    ['retiring twice', () => retire(retire(registered('a'), 'a', cause), 'a', cause), /already/],
  ])('refuses %s', (_what, act, message) => {
    expect(act).toThrow(message);
  });
});

describe('what sandbox learns', () => {
  const learnt = promote(register(EMPTY_REGISTRY, 's', 'sandbox', cause), 's', cause);

  it('is in force in the sandbox alone', () => {
    expect(championFor(learnt, 'sandbox')?.version).toBe('s');
    expect(championFor(learnt, 'production')).toBeUndefined();
    const tried = startShadow(register(EMPTY_REGISTRY, 't', 'sandbox', cause), 't', cause);
    expect(shadowFor(tried, 'production')).toBeUndefined();
  });

  it('steps down for good once production teaches', () => {
    const taken = claimTeaching(learnt, 'production', cause);
    expect(taken.learns_from).toBe('production');
    expect(championFor(taken, 'sandbox')).toBeUndefined();
    expect(() => promote(taken, 's', cause)).toThrow(/sandbox/);
    // A champion of production's, rolled back, must not bring sandbox's back either.
    const next = promote(register(taken, 'p', 'production', cause), 'p', cause);
    expect(modelIn(rollBack(next, cause), 'champion')).toBeUndefined();
  });

  it.each<[string, RegistryState, boolean]>([
    ['while it is empty', EMPTY_REGISTRY, false],
    ['that sandbox taught', claimTeaching(learnt, 'sandbox', cause), false],
    ['that production took over', claimTeaching(learnt, 'production', cause), true],
    ['with a model that somebody added', register(EMPTY_REGISTRY, 'i', 'import', cause), true],
  ])("a registry of production's leads sandbox or not: one %s", (_which, state, leads) => {
    expect(leadsSandbox(state)).toBe(leads);
  });
});

type Step = { readonly kind: string; readonly version: string; readonly source: LabelSource };

function apply(state: RegistryState, { kind, version, source }: Step): RegistryState {
  if (kind === 'register') return register(state, version, source, cause);
  if (kind === 'shadow') return startShadow(state, version, cause);
  if (kind === 'promote') return promote(state, version, cause);
  if (kind === 'retire') return retire(state, version, cause);
  if (kind === 'rollBack') return rollBack(state, cause);
  return claimTeaching(state, 'production', cause);
}

const step = fc.record({
  kind: fc.constantFrom('register', 'register', 'shadow', 'promote', 'retire', 'rollBack', 'claim'),
  version: fc.integer({ min: 0, max: 150 }).map((n) => `m${n}`),
  source: fc.constantFrom<LabelSource>('sandbox', 'production', 'import'),
});

it('has one champion and one shadow at most, stays small, and never gives production a model of sandbox', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 600 }), (steps) => {
      let state = EMPTY_REGISTRY;
      for (const one of steps) {
        let next = state;
        try {
          next = apply(state, one);
        } catch (error) {
          expect((error as Error).name).toBe('DomainError');
        }
        state = next;
        for (const role of ['champion', 'shadow'] as const) {
          if (state.models.filter(({ status }) => status === role).length > 1) throw new Error(`two are ${role}`);
        }
        const champion = state.learns_from === 'production' ? modelIn(state, 'champion') : undefined;
        const seen = [champion, championFor(state, 'production'), shadowFor(state, 'production')];
        if (seen.some((model) => model?.source === 'sandbox')) throw new Error('production got what sandbox learnt');
      }
      expect(JSON.stringify(state).length).toBeLessThan(40_000);
    }),
    { numRuns: 50 },
  );
});
