import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CASE_LIFE_MS, caseStatusAt } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { caseListAnswer } from '../../../shared/http/presenters/case-answer';
import { type CaseFilter, countCases, listCases } from '../../../shared/usecases/cases/list-cases';
import { openCase } from '../../support/changes';
import { interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 20, 10, 30);
const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

function world(made: ReadonlyArray<readonly [agoMs: number, status: 'open' | 'approved' | 'rejected']>) {
  const { cases } = memoryTable();
  const known = made.map(([agoMs, status]) => {
    const reviewCase = openCase(NOW - agoMs, { status });
    cases.put('acc_1', reviewCase);
    return reviewCase;
  });
  cases.put('acc_2', openCase(NOW - HOUR));
  const calls: string[] = [];
  const watched = interpose(cases, (call, apply) => {
    calls.push(call);
    return apply();
  });
  const list = async (filter: Partial<CaseFilter> = {}) =>
    caseListAnswer(
      await listCases({ clock: { now: () => NOW }, cases: watched }, caller, { limit: 20, offset: 0, ...filter }),
    );
  return { cases, known, calls, list };
}

const ago = fc.oneof(
  fc.constantFrom(0, 1, 30 * 60_000, HOUR, DAY, CASE_LIFE_MS - 1, CASE_LIFE_MS, RETENTION_MS - 1, RETENTION_MS),
  fc.nat(9 * DAY),
);
const status = fc.constantFrom<'open' | 'approved' | 'rejected'>('open', 'approved', 'rejected');

it('is what an array would answer, for every filter and page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(ago, status), { maxLength: 25 }),
      fc.record({
        wanted: fc.constantFrom<CaseFilter['status']>(undefined, 'open', 'approved', 'rejected', 'expired'),
        startAgo: fc.option(ago, { nil: undefined }),
        endAgo: fc.option(ago, { nil: undefined }),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
      async (made, { wanted, startAgo, endAgo, limit }) => {
        const { known, list } = world(made);
        const startMs = startAgo === undefined ? undefined : NOW - startAgo;
        const endMs = endAgo === undefined ? undefined : NOW - endAgo;
        const expected = known
          .filter(
            ({ created_at_ms: at }) => at > NOW - RETENTION_MS && at >= (startMs ?? 0) && at < (endMs ?? NOW + DAY),
          )
          .filter((each) => wanted === undefined || caseStatusAt(each, NOW) === wanted)
          .sort((a, b) => (a.ulid < b.ulid ? 1 : -1));
        const seen: string[] = [];
        for (let offset = 0; offset === 0 || offset < expected.length; offset += limit) {
          const page = await list({ status: wanted, startMs, endMs, limit, offset });
          expect([page.total, page.has_more]).toEqual([expected.length, offset + limit < expected.length]);
          seen.push(...page.cases.map((each) => `${each.case_id} ${each.status}`));
        }
        expect(seen).toEqual(expected.map((each) => `case_${each.ulid} ${caseStatusAt(each, NOW)}`));
      },
    ),
    { numRuns: 150 },
  );
});

it('finds a page far back by tallies, and reads no case before it', async () => {
  const { list, calls, cases } = world(Array.from({ length: 900 }, (_, i) => [i * 60_000, 'open'] as const));
  let read = 0;
  const { newest } = cases;
  cases.newest = async (...args) => {
    const found = await newest(...args);
    read += found.length;
    return found;
  };
  const page = await list({ offset: 850, limit: 10 });
  expect(page.cases).toHaveLength(10);
  expect(calls.filter((call) => call === 'minutes').length).toBeLessThanOrEqual(1);
  expect(read).toBeLessThanOrEqual(20);
});

it('reads nothing of a span that is empty or turned round', async () => {
  const { list, calls, cases } = world([[HOUR, 'open']]);
  expect(await list({ startMs: NOW, endMs: NOW - DAY })).toMatchObject({ cases: [], total: 0, has_more: false });
  expect(calls).toEqual([]);
  expect(await countCases(cases, 'acc_1', { fromMs: 5, toMs: 5, classes: ['unresolved'] })).toBe(0);
});

it('has an empty page beyond the end, with the total all the same', async () => {
  const { list } = world([
    [HOUR, 'open'],
    [2 * HOUR, 'open'],
  ]);
  expect(await list({ offset: 2 })).toMatchObject({ cases: [], total: 2, has_more: false });
});
