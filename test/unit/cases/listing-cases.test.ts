import fc from 'fast-check';
import { type AccountSettings, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type CaseSort, caseRank } from '../../../shared/domain/cases/case-search';
import { CASE_CLASSES } from '../../../shared/domain/cases/case-tally';
import { CASE_LIFE_MS, caseStatusAt, type ReviewCase } from '../../../shared/domain/cases/review-case';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { caseListAnswer } from '../../../shared/http/presenters/case-answer';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { casesOfUser } from '../../../shared/usecases/cases/cases-of-user';
import { getCase } from '../../../shared/usecases/cases/get-case';
import { type CaseFilter, countCases, listCases } from '../../../shared/usecases/cases/list-cases';
import { type CaseSearch, searchCases } from '../../../shared/usecases/cases/search-cases';
import { type Walk, walkCases } from '../../../shared/usecases/cases/walk-cases';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { sized } from '../../support/sized';
import { callerOf } from '../../support/traffic/payment';
import { openCase, screened } from '../../support/webhooks/changes';

describe('list cases', () => {
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
      { numRuns: sized(150, 40) },
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
});

describe('search cases', () => {
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
      const entities = [entityNames('acc_1', PUBLIC_PSEUDONYMS).user(each.user_id).key];
      const held = { ulid: each.ulid, user_id: each.user_id, automated_decision: 'review' as const, entities };
      // Screenings from before the account kept history are in no list of their user.
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
        { clock: { now: () => NOW }, pseudonyms: () => PUBLIC_PSEUDONYMS, cases: { ...cases, ofDay }, decisions },
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
      { numRuns: sized(150, 40) },
    );
  });

  it('continues through more cases than it reads at a time', async () => {
    const { all, known } = await world(Array.from({ length: 450 }, (_, at) => ({ agoMs: at * 1000 })));
    const { found } = await all({ limit: 100 });
    expect(found).toEqual(known.map(({ ulid }) => ulid));
  });

  it('reads 600 cases per request, says how far it came, and reaches every case all the same', async () => {
    const { search, all, known, walked } = await world(
      Array.from({ length: 800 }, (_, at) => ({ agoMs: at * 1_000, risk_score: at < 600 ? 60 + (at % 7) : 90 })),
    );
    const byScore = await search({ sort: 'score', limit: 50 });
    expect(walked()).toBe(1);
    expect(byScore.cases.every(({ risk_score }) => risk_score === 66)).toBe(true);
    expect(byScore.searchedToMs).toBe(known[599]?.created_at_ms);
    for (const sort of ['score', 'amount'] as const) {
      expect(new Set((await all({ sort, limit: 100 })).found).size).toBe(800);
    }
    const rare = await search({ min_score: 90, limit: 100 });
    expect(rare).toMatchObject({ cases: [], searchedToMs: known[599]?.created_at_ms });
    expect((await all({ min_score: 90, limit: 100 })).found).toHaveLength(200);
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
    [Buffer.from('["cases.score","","80","not a ulid"]').toString('base64url'), 'score'],
    [Buffer.from('["cases.score","not a ulid","",""]').toString('base64url'), 'score'],
  ] as const)('refuses a cursor that is not one of its own: %s', async (cursor, sort) => {
    const { search } = await world([{ agoMs: 1 }]);
    await expect(search({ cursor, sort })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'cursor', message: expect.stringContaining('next_cursor') }],
    });
  });
});

describe('walk cases', () => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 2, 20, 10);

  it('reads only days that have cases, and stops when nobody asks for more', async () => {
    const { cases } = memoryTable();
    const [young, old] = [openCase(NOW), openCase(NOW - 60 * DAY)];
    cases.put('acc', young);
    cases.put('acc', old);
    const calls: string[] = [];
    const watched = interpose(cases, (call, apply) => {
      calls.push(call);
      return apply();
    });
    const selection = { fromMs: NOW - 90 * DAY, toMs: NOW + 1, classes: CASE_CLASSES };
    const walk = walkCases(watched, 'acc', selection);
    expect((await walk.next()).value).toEqual([young]);
    expect(calls).toEqual(['hours', 'ofDay']);
    expect((await walk.next()).value).toEqual([old]);
    expect(calls).toEqual(['hours', 'ofDay', 'ofDay']);
    expect((await walk.next()).done).toBe(true);
  });

  it('asks nothing for an empty span', async () => {
    const { cases } = memoryTable();
    const walk = walkCases(cases, 'acc', { fromMs: NOW, toMs: NOW, classes: CASE_CLASSES });
    expect(await walk.next()).toEqual({ value: undefined, done: true });
  });
});

describe('cases of user', () => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 2, 20, 10);
  const AGES = [0, 1, 5, 30];

  /** Ann and Bob have a case of each age; before `history_since_ms` nothing led from them to their screenings. */
  async function world(settings: Partial<AccountSettings> = {}) {
    const { cases, screenings, decisions } = memoryTable();
    const made = AGES.flatMap((age) => ['ann', 'bob'].map((user_id) => openCase(NOW - age * DAY, { user_id })));
    for (const each of made) {
      cases.put('acc_1', each);
      const isListed = each.created_at_ms >= (settings.history_since_ms ?? 0) && settings.keep_history !== false;
      const { ulid, user_id } = each;
      await screenings.insert(
        'acc_1',
        screened(each.created_at_ms, {
          ...{ ulid, user_id, automated_decision: 'review' },
          entities: [entityNames('acc_1', PUBLIC_PSEUDONYMS).user(user_id).key],
          ...(isListed ? {} : { unlisted: true }),
        }),
      );
    }
    const calls: string[] = [];
    const watched = interpose(cases, (call, apply) => {
      calls.push(call);
      return apply();
    });
    const caller = {
      ...({ account_id: 'acc_1', key_id: 'key_1', role: 'admin' } as const),
      settings: { ...DEFAULT_SETTINGS, ...settings },
    };
    const found = async (walk?: Walk): Promise<ReviewCase[]> => {
      const selection = { fromMs: NOW - 90 * DAY, toMs: NOW + 1, classes: CASE_CLASSES, user_id: 'ann' };
      const all: ReviewCase[] = [];
      for await (const chunk of casesOfUser(
        { pseudonyms: () => PUBLIC_PSEUDONYMS, cases: watched, decisions },
        caller,
        selection,
        walk,
      ))
        all.push(...chunk);
      return all;
    };
    return { ofAnn: made.filter(({ user_id }) => user_id === 'ann'), made, found, calls };
  }

  it('finds them in the history of the user, newest or oldest first, and walks through no day', async () => {
    const { ofAnn, found, calls } = await world();
    expect(await found()).toEqual(ofAnn);
    expect(await found({ isOldestFirst: true })).toEqual(ofAnn.toReversed());
    expect(new Set(calls)).toEqual(new Set(['findAll']));
  });

  it('goes on beyond a case, in either direction', async () => {
    const { ofAnn, found } = await world();
    const beyond = ofAnn[1]?.ulid;
    expect(await found({ beyond })).toEqual(ofAnn.slice(2));
    expect(await found({ beyond, isOldestFirst: true })).toEqual(ofAnn.slice(0, 1));
  });

  it('walks through everybody’s cases of the time before the account kept a history', async () => {
    const { ofAnn, made, found } = await world({ history_since_ms: NOW - 3 * DAY });
    const before = made.filter(({ created_at_ms }) => created_at_ms < NOW - 3 * DAY);
    const expected = [...ofAnn.slice(0, 2), ...before];
    const ulids = (cases: readonly ReviewCase[]): string[] => cases.map(({ ulid }) => ulid);
    expect(ulids(await found()).sort()).toEqual(ulids(expected).sort());
    expect((await found()).slice(0, 2)).toEqual(ofAnn.slice(0, 2));
    expect((await found({ isOldestFirst: true })).slice(-2)).toEqual(ofAnn.slice(0, 2).reverse());
  });

  it('walks through all of them where no history is kept', async () => {
    const { made, found, calls } = await world({ keep_history: false });
    expect((await found()).length).toBe(made.length);
    expect(calls).not.toContain('findAll');
  });
});

describe('get case', () => {
  const BORN_MS = Date.UTC(2026, 2, 1);
  const caller = callerOf('acc_1');

  /** An open case of acc_1, read at an age of the test's choice. */
  function world(ageMs = 60_000) {
    const table = memoryTable();
    const reviewCase = openCase(BORN_MS);
    table.cases.put('acc_1', reviewCase);
    const deps = { clock: { now: () => BORN_MS + ageMs }, cases: table.cases };
    return { table, deps, reviewCase, id: `case_${reviewCase.ulid}` };
  }

  it('returns the case as it is stored, and when it was read', async () => {
    const { deps, reviewCase, id } = world();
    expect(await getCase(deps, caller, id)).toEqual({ reviewCase, atMs: BORN_MS + 60_000 });
  });

  it('returns the instant by which an open case has expired, whether or not a sweep has run', async () => {
    const statusAtAge = async (ageMs: number): Promise<string> => {
      const { deps, id } = world(ageMs);
      const { reviewCase, atMs } = await getCase(deps, caller, id);
      expect(reviewCase.status).toBe('open');
      return caseStatusAt(reviewCase, atMs);
    };
    expect(await statusAtAge(CASE_LIFE_MS - 1)).toBe('open');
    expect(await statusAtAge(CASE_LIFE_MS)).toBe('expired');
  });

  it('returns a case for exactly as long as results are kept', async () => {
    const [last, over] = [world(RETENTION_MS - 1), world(RETENTION_MS)];
    expect((await getCase(last.deps, caller, last.id)).reviewCase).toEqual(last.reviewCase);
    await expect(getCase(over.deps, caller, over.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('gives another account the same answer as for a case that never was', async () => {
    const { deps, id } = world();
    const refusal = (who: typeof caller, what: string) => getCase(deps, who, what).catch((error: Error) => error);
    const unknown = await refusal(caller, `case_${newUlid(BORN_MS)}`);
    expect(unknown).toMatchObject({ code: 'not_found' });
    expect(await refusal(callerOf('acc_2'), id)).toEqual(unknown);
  });

  it('does not even look up an id of another kind', async () => {
    const { deps, reviewCase } = world();
    const unread = {
      ...deps,
      cases: interpose(
        deps.cases,
        failing(() => 'before'),
      ),
    };
    const { ulid } = reviewCase;
    for (const id of [`txn_${ulid}`, `dec_${ulid}`, ulid, `case_${ulid}0`, `case_${ulid.toLowerCase()}`, ''])
      await expect(getCase(unread, caller, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not take a table that is out of reach for a missing case', async () => {
    const { deps, id } = world();
    const down = {
      ...deps,
      cases: interpose(
        deps.cases,
        failing(() => 'before'),
      ),
    };
    await expect(getCase(down, caller, id)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
