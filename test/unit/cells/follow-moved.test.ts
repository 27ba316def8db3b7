import { followMoved } from '../../../shared/usecases/accounts/follow-moved';

it('adds the overview once it is counted, and not before', async () => {
  const calls: string[] = [];
  let nowMs = 0;
  const deps = {
    clock: { now: () => nowMs },
    wait: async (ms: number) => {
      nowMs += ms;
    },
    changes: { next: async () => ({ keys: ['a'] }), counted: () => new Map([['shard', '5']]) },
    late: {
      isCounted: async () => nowMs >= 3_000,
      bringLate: async (keys: readonly string[]) => keys.length,
      addOverview: async () => calls.push(`at ${nowMs}`),
    },
    onProgress: () => undefined,
  };
  expect(await followMoved(deps)).toBe(true);
  expect(calls).toEqual(['at 3000']);
  expect(await followMoved({ ...deps, late: { ...deps.late, isCounted: async () => false } })).toBe(false);
  expect(calls).toHaveLength(1);
});
