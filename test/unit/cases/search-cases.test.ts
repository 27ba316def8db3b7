import fc from 'fast-check';
import { type AccountSettings, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type CaseSort, caseRank } from '../../../shared/domain/cases/case-search';
import { CASE_LIFE_MS, caseStatusAt, type ReviewCase } from '../../../shared/domain/cases/review-case';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { type CaseSearch, searchCases } from '../../../shared/usecases/cases/search-cases';
import { openCase, screened } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 20, 10, 30);
const caller = { account_id: 'acc_1', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;

async function world(
  made: ReadonlyArray<Partial<ReviewCase> & { readonly agoMs: number }>,
  settings: Partial<AccountSettings> = {},
) {
  const { cases, screenings, decisions } = memoryTable();
  const known = made.map(({ agoMs, ...change }) => openCase(NOW - agoMs, change));
  for (const each of known) {
    cases.put('acc_1', each);
    const entities = [entityNames('acc_1').user(each.user_id).key];
    const held = { ulid: each.ulid, user_id: each.user_id, automated_decision: 'review' as const, entities };
    // What was screened before the account kept history is in no list of its user.
    const unlisted = each.created_at_ms < (settings.history_since_ms ?? 0) || settings.keep_history === false;
    await screenings.insert(
      'acc_1',
      screened(each.created_at_ms, { ...held, ...(unlisted ? { unlisted: true } : {}) }),
    );
  }
  cases.put('acc_2', openCase(NOW - HOUR));
  let walked = 0;
  const ofDay: typeof cases.ofDay = (...asked) => {
    walked += 1;
    return cases.ofDay(...asked);
  };
  const search = (asked: Partial<CaseSearch>) =>
    searchCases(
      { clock: { now: () => NOW }, cases: { ...cases, ofDay }, decisions },
      { ...caller, settings: { ...caller.settings, ...settings } },
      { sort: 'newest', limit: 20, ...asked },
    );
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
  return { known, search, all, walked: () => walked };
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

/** Always kept, never, or again since some time. */
const history = fc.constantFrom<Partial<AccountSettings>>(
  {},
  { keep_history: false },
  { history_since_ms: NOW - HOUR },
  { history_since_ms: NOW - 4 * DAY },
);

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
    fc.asyncProperty(fc.array(made, { maxLength: 25 }), asked, history, async (cases, search, settings) => {
      const { known, all } = await world(cases, settings);
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
  const { all, known } = await world(Array.from({ length: 450 }, (_, at) => ({ agoMs: at * 1000 })));
  const { found } = await all({ limit: 100 });
  expect(found).toEqual(known.map(({ ulid }) => ulid));
});

it('finds a user however the ID is written', async () => {
  const { search } = await world([{ agoMs: HOUR, user_id: ' Ann​' }]);
  expect((await search({ user_id: 'Ann' })).cases).toHaveLength(1);
  expect((await search({ user_id: 'ann' })).cases).toHaveLength(0);
});

it('finds the cases of a user without looking at those of others, however many there are', async () => {
  const others = Array.from({ length: 300 }, (_, at) => ({ agoMs: at * HOUR, user_id: `other-${at}` }));
  const own = [1, 30, 60].map((days) => ({ agoMs: days * DAY, user_id: 'ann' }));
  const { search, walked, known } = await world([...own, ...others]);
  expect((await search({ user_id: 'ann' })).cases).toEqual(known.slice(0, 3));
  expect((await search({ user_id: 'ann', sort: 'score' })).cases).toHaveLength(3);
  expect(walked()).toBe(0);
});

it('walks through the cases of the time in which an account kept no history', async () => {
  const made = [1, 30, 60].map((days) => ({ agoMs: days * DAY, user_id: 'ann' }));
  const { search, walked } = await world(made, { history_since_ms: NOW - 40 * DAY });
  expect((await search({ user_id: 'ann', sort: 'expires' })).cases).toHaveLength(3);
  expect(walked()).toBe(1);
});

it('finds who works on a case, until the claim ends', async () => {
  const claimed = (until_ms: number) => ({ agoMs: HOUR, claim: { assignee: 'ana', until_ms } });
  const { search, known } = await world([claimed(NOW + 1), claimed(NOW), { agoMs: HOUR }]);
  expect((await search({ assignee: 'ana' })).cases).toEqual([known[0]]);
  expect((await search({ assignee: 'ben' })).cases).toEqual([]);
});

it('compares amounts across currencies; what has none comes last', async () => {
  const { search, known } = await world([
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
  const { search } = await world([{ agoMs: 1 }]);
  await expect(search({ cursor, sort })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'cursor', message: expect.stringContaining('next_cursor') }],
  });
});
