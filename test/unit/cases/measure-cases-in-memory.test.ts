import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { measureCases } from '../../../shared/usecases/cases/measure-cases';
import { openCase } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

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
