import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { measureCases } from '../../../shared/usecases/cases/measure-cases';
import { type SweepCasesDeps, sweepCases } from '../../../shared/usecases/cases/sweep-cases';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { openCase } from '../../support/webhooks/changes';

describe('sweep cases', () => {
  const BORN_MS = Date.UTC(2026, 2, 1);
  const ENDLESS = Number.MAX_SAFE_INTEGER;

  function world(count: number) {
    const { cases } = memoryTable();
    const ulids = Array.from({ length: count }, (_, i) => {
      const reviewCase = openCase(BORN_MS + i);
      cases.put('acc_1', reviewCase);
      return reviewCase.ulid;
    });
    let nowMs = BORN_MS + CASE_LIFE_MS + 5_000;
    const deps: SweepCasesDeps = { clock: { now: () => nowMs }, shards: cases.shards, cases };
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    const open = async () => {
      const found = await Promise.all(ulids.map((ulid) => cases.find('acc_1', ulid)));
      return found.filter((each) => each?.status === 'open').length;
    };
    return { cases, deps, pass, open, nowMs };
  }

  it('expires a backlog of many batches, two at once sharing it, and finds nothing the third time', async () => {
    const { deps, open } = world(950);
    const reports = await Promise.all([sweepCases(deps, ENDLESS), sweepCases(deps, ENDLESS)]);
    expect(reports.reduce((sum, { swept }) => sum + swept, 0)).toBe(950);
    // Whichever reaches the oldest case first reports it; the other may find it done.
    expect(Math.max(...reports.map(({ backlogAgeMs }) => backlogAgeMs))).toBe(5_000);
    expect(reports.map(({ isUnfinished }) => isUnfinished)).toEqual([false, false]);
    expect(await open()).toBe(0);
    expect(await sweepCases(deps, ENDLESS)).toEqual({ swept: 0, backlogAgeMs: 0, isUnfinished: false });
  });

  it('leaves alone what is not due, or was resolved after the index was read', async () => {
    const { cases, deps, open } = world(3);
    const young = openCase(BORN_MS + CASE_LIFE_MS);
    cases.put('acc_1', young);
    const resolving: SweepCasesDeps['cases'] = {
      ...cases,
      due: async (shard, nowMs, limit) => {
        const due = await cases.due(shard, nowMs, limit);
        for (const { pk, sk } of due) {
          const found = await cases.find(pk, sk);
          if (found) cases.put(pk, { ...found, status: 'approved' });
        }
        return due;
      },
    };
    expect(await sweepCases({ ...deps, cases: resolving }, ENDLESS)).toMatchObject({ swept: 0, isUnfinished: false });
    expect(await open()).toBe(0);
    expect(await cases.find('acc_1', young.ulid)).toMatchObject({ status: 'open' });
  });

  it('stops when its time is up, and the next sweep continues', async () => {
    const { deps, pass, nowMs } = world(950);
    const slow = {
      ...deps,
      cases: interpose(deps.cases, (call, apply) => {
        if (call === 'due') pass(1_000);
        return apply();
      }),
    };
    const first = await sweepCases(slow, nowMs + 3_000);
    expect(first.isUnfinished).toBe(true);
    expect(first.swept).toBeGreaterThan(0);
    const second = await sweepCases(deps, ENDLESS);
    expect(first.swept + second.swept).toBe(950);
  });

  it('loses nothing when it dies in the middle', async () => {
    const { deps, open } = world(40);
    const dying = {
      ...deps,
      cases: interpose(
        deps.cases,
        failing((_call, nth) => (nth === 9 ? 'after' : undefined)),
      ),
    };
    await expect(sweepCases(dying, ENDLESS)).rejects.toMatchObject({ code: 'unavailable' });
    const left = await open();
    expect(left).toBeLessThan(40);
    expect((await sweepCases(deps, ENDLESS)).swept).toBe(left);
  });

  it('an index that shows what was expired long ago ends the sweep, not in a loop', async () => {
    const { deps, cases, nowMs } = world(450);
    const stale = await Promise.all(cases.shards.map((shard) => cases.due(shard, nowMs, 100)));
    await sweepCases(deps, ENDLESS);
    const lagging = { ...deps, cases: { ...cases, due: async (shard: number) => stale[shard] ?? [] } };
    expect(await sweepCases(lagging, ENDLESS)).toMatchObject({ swept: 0, isUnfinished: false });
  });

  it('what waits is measured over all accounts, without what is due already', async () => {
    const { cases, deps } = world(2);
    cases.put('acc_2', openCase(BORN_MS + 60_000));
    const clock = { now: () => BORN_MS + CASE_LIFE_MS + 1 };
    expect(await measureCases({ ...deps, clock, cases })).toEqual({ open: 1, oldestAgeMs: CASE_LIFE_MS + 1 - 60_000 });
    expect(await measureCases({ ...deps, cases, clock: { now: () => BORN_MS + 120_000 } })).toEqual({
      open: 3,
      oldestAgeMs: 120_000,
    });
  });
});

describe('measure cases', () => {
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
});

describe('measure cases in memory', () => {
  const NOW = Date.UTC(2026, 10, 14);

  /** A table with cases of these ages, of two accounts in turn. */
  function world(...agesMs: readonly number[]) {
    const { cases } = memoryTable();
    const opened = agesMs.map((ageMs) => openCase(NOW - ageMs));
    for (const [i, each] of opened.entries()) cases.put(`acc_${i % 2}`, each);
    return { cases, opened, deps: { clock: { now: () => NOW }, shards: cases.shards, cases } };
  }

  it('counts what waits in every account and shard, and finds the oldest', async () => {
    const { deps } = world(...Array.from({ length: 40 }, (_, i) => (i + 1) * 60_000));
    expect(await measureCases(deps)).toEqual({ open: 40, oldestAgeMs: 40 * 60_000 });
  });

  it('counts neither what was resolved nor what has expired by the clock, swept or not', async () => {
    const { cases, opened, deps } = world(60_000, 120_000, CASE_LIFE_MS, CASE_LIFE_MS - 1);
    const [, second] = opened;
    if (second) cases.put('acc_1', { ...second, status: 'approved' });
    expect(await measureCases(deps)).toEqual({ open: 2, oldestAgeMs: CASE_LIFE_MS - 1 });
  });

  it('reports no count at all when one shard cannot be read, rather than too low a one', async () => {
    const { deps } = world(60_000);
    const cases = interpose(
      deps.cases,
      failing((_call, nth) => (nth === 2 ? 'before' : undefined)),
    );
    await expect(measureCases({ ...deps, cases })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
