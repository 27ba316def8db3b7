import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { measureCases } from '../../../shared/usecases/cases/measure-cases';

const NOW = Date.UTC(2026, 10, 14);
const dueOf = (ageMs: number): string => new Date(NOW - ageMs + CASE_LIFE_MS).toISOString();

const measure = (shards: ReadonlyArray<{ count: number; firstDueAt: string | undefined }>) =>
  measureCases({
    clock: { now: () => NOW },
    shards: shards.map((_, shard) => shard),
    cases: { waiting: async (shard) => shards[shard]! },
  });

describe('measuring the queue of cases', () => {
  it('adds the shards up and finds the oldest of all', async () => {
    const shards = [
      { count: 3, firstDueAt: dueOf(60_000) },
      { count: 0, firstDueAt: undefined },
      { count: 2, firstDueAt: dueOf(3_600_000) },
    ];
    expect(await measure(shards)).toEqual({ open: 5, oldestAgeMs: 3_600_000 });
  });

  it('has no oldest while none waits', async () => {
    expect(await measure([{ count: 0, firstDueAt: undefined }])).toEqual({ open: 0, oldestAgeMs: 0 });
  });
});
