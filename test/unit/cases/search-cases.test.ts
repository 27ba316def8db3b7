import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type CaseSort, caseRank } from '../../../shared/domain/cases/case-search';
import { CASE_LIFE_MS, caseStatusAt, type ReviewCase } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { type CaseSearch, searchCases } from '../../../shared/usecases/cases/search-cases';
import { openCase } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 20, 10, 30);
const caller = { account_id: 'acc_1', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;

function world(made: ReadonlyArray<Partial<ReviewCase> & { readonly agoMs: number }>) {
  const { cases } = memoryTable();
  const known = made.map(({ agoMs, ...change }) => openCase(NOW - agoMs, change));
  for (const each of known) cases.put('acc_1', each);
  cases.put('acc_2', openCase(NOW - HOUR));
  const search = (asked: Partial<CaseSearch>) =>
    searchCases({ clock: { now: () => NOW }, cases }, caller, { sort: 'newest', limit: 20, ...asked });
  /** Every page, and how many there were. */
  async function all(asked: Partial<CaseSearch>) {
    const found: ReviewCase[] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      const page = await search({ ...asked, cursor });
      found.push(...page.cases);
      cursor = page.nextCursor;
    }
    return { found: found.map(({ ulid }) => ulid), pages };
  }
  return { known, search, all };
}

const ago = fc.oneof(
  fc.constantFrom(0, 1, HOUR, DAY, CASE_LIFE_MS - 1, CASE_LIFE_MS, RETENTION_MS - 1, RETENTION_MS),
  fc.nat(9 * DAY),
);
const made = fc.record({
  agoMs: ago,
  status: fc.constantFrom('open' as const, 'approved' as const, 'rejected' as const),
  user_id: fc.constantFrom('ann', 'bob'),
  subject_type: fc.constantFrom('transaction' as const, 'event' as const),
  risk_score: fc.integer({ min: 60, max: 64 }),
  signals: fc.subarray(['new_device', 'shared_ip']),
  amount: fc.constantFrom('5', '70', '1e-7'),
  currency: fc.constantFrom('EUR', 'JPY', 'USD'),
});
const option = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

it('gives every match once, in order, whatever is asked and however long the pages are', async () => {
  const asked = fc.record({
    status: option(fc.constantFrom('open' as const, 'approved' as const, 'rejected' as const, 'expired' as const)),
    user_id: option(fc.constantFrom('ann', 'carl')),
    signal: option(fc.constantFrom('new_device')),
    min_score: option(fc.integer({ min: 59, max: 65 })),
    max_score: option(fc.integer({ min: 59, max: 65 })),
    subject_type: option(fc.constantFrom('event' as const)),
    sort: fc.constantFrom<CaseSort>('newest', 'score', 'amount', 'expires'),
    limit: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(made, { maxLength: 25 }), asked, async (cases, search) => {
      const { known, all } = world(cases);
      const { status, user_id, signal, min_score = 0, max_score = 100, subject_type, sort, limit } = search;
      const expected = known
        .filter((each) => each.created_at_ms > NOW - RETENTION_MS)
        .filter((each) => status === undefined || caseStatusAt(each, NOW) === status)
        .filter((each) => user_id === undefined || each.user_id === user_id)
        .filter((each) => signal === undefined || each.signals.includes(signal))
        .filter((each) => each.risk_score >= min_score && each.risk_score <= max_score)
        .filter((each) => subject_type === undefined || each.subject_type === subject_type)
        .sort((a, b) => {
          const byAge = a.ulid < b.ulid ? 1 : -1;
          return sort === 'expires' ? -byAge : caseRank(sort, b) - caseRank(sort, a) || byAge;
        })
        .map(({ ulid }) => ulid);
      const { found, pages } = await all(search);
      expect(found).toEqual(expected);
      // A page too many would mean that has_more was wrong once.
      expect(pages).toBe(Math.max(1, Math.ceil(expected.length / limit)));
    }),
    { numRuns: 150 },
  );
});

it('continues through more cases than it reads at a time', async () => {
  const { all, known } = world(Array.from({ length: 450 }, (_, at) => ({ agoMs: at * 1000 })));
  const { found } = await all({ limit: 100 });
  expect(found).toEqual(known.map(({ ulid }) => ulid));
});

it('finds a user however the ID is written', async () => {
  const { search } = world([{ agoMs: HOUR, user_id: ' Ann​' }]);
  expect((await search({ user_id: 'Ann' })).cases).toHaveLength(1);
  expect((await search({ user_id: 'ann' })).cases).toHaveLength(0);
});

it('finds who works on a case, until the claim ends', async () => {
  const claimed = (until_ms: number) => ({ agoMs: HOUR, claim: { assignee: 'ana', until_ms } });
  const { search, known } = world([claimed(NOW + 1), claimed(NOW), { agoMs: HOUR }]);
  expect((await search({ assignee: 'ana' })).cases).toEqual([known[0]]);
  expect((await search({ assignee: 'ben' })).cases).toEqual([]);
});

it('compares amounts across currencies; what has none comes last', async () => {
  const { search, known } = world([
    { agoMs: 1, amount: '5000', currency: 'JPY' },
    { agoMs: 2, amount: '40', currency: 'EUR' },
    { agoMs: 3 },
  ]);
  const { cases } = await search({ sort: 'amount' });
  expect(cases.map(({ ulid }) => ulid)).toEqual([known[1]?.ulid, known[0]?.ulid, known[2]?.ulid]);
});

it.each([
  ['rubbish', 'newest'],
  [Buffer.from('["cases.score","1","2"]').toString('base64url'), 'newest'],
  [Buffer.from('["cases.newest","not a ulid"]').toString('base64url'), 'newest'],
  [Buffer.from('["cases.score","80","not a ulid"]').toString('base64url'), 'score'],
] as const)('refuses a cursor that is not one of its own: %s', async (cursor, sort) => {
  const { search } = world([{ agoMs: 1 }]);
  await expect(search({ cursor, sort })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'cursor', message: expect.stringContaining('next_cursor') }],
  });
});
