import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { resolvedCounters } from '../../../shared/domain/overview/desk-counters';
import {
  addCounters,
  missedCounters,
  movedCounters,
  screenedCounters,
} from '../../../shared/domain/overview/overview-counters';
import { type Interval, overviewSpan, spanBefore } from '../../../shared/domain/overview/overview-span';
import {
  countRules,
  LEAST_SCREENINGS,
  largestRuleShare,
  type RuledScreening,
} from '../../../shared/domain/overview/rule-share';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { overviewAnswer } from '../../../shared/http/presenters/overview-answer';
import { openCaseItems } from '../../../shared/store/cases/case-items';
import { keptPut } from '../../../shared/store/outcomes/kept-items';
import { readRuled, readTally } from '../../../shared/store/overview/tally-record';
import { type AccountOverviewDeps, accountOverview } from '../../../shared/usecases/overview/account-overview';
import { type TallyChangesDeps, tallyChanges } from '../../../shared/usecases/overview/tally-changes';
import { watchRules } from '../../../shared/usecases/overview/watch-rules';
import { failing, interpose, type Moment } from '../../support/memory/interpose';
import { memoryOverview } from '../../support/memory/memory-overview';
import { memoryTable } from '../../support/memory/memory-table';
import { openCase, screened } from '../../support/webhooks/changes';

describe('account overview', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const NOW = Date.UTC(2026, 2, 20, 10, 30);
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

  function world() {
    const { overview, cases } = memoryTable();
    const deps: AccountOverviewDeps = { clock: { now: () => NOW }, counts: overview, cases };
    let sequence = 0;
    let mark: string | undefined;
    return {
      ...{ deps, cases, overview },
      async count(agoMs: number, account_id = 'acc_1') {
        const parts = (['hour', 'day'] as const).map((interval) => ({
          ...{ account_id, interval, at_ms: NOW - agoMs },
          counters: new Map([['allow', 1]]),
        }));
        await overview.add('shard', mark, String(++sequence), parts);
        mark = String(sequence);
      },
      see: async (span: { startMs?: number; endMs?: number } = {}, over = deps) =>
        overviewAnswer(await accountOverview(over, caller, span)),
    };
  }

  it('covers the last week by hours unless it is asked for more', async () => {
    const { see, count } = world();
    for (const agoMs of [0, 2 * DAY, 7 * DAY, 8 * DAY]) await count(agoMs);
    await count(HOUR, 'acc_2');
    expect(await see()).toMatchObject({
      start_date: new Date(NOW - 7 * DAY - 30 * 60_000).toISOString(),
      interval: 'hour',
      screenings: { total: 3 },
    });
    expect(await see({ startMs: NOW - 30 * DAY })).toMatchObject({ interval: 'day', screenings: { total: 4 } });
  });

  it('looks neither into the future nor further back than anything is kept', async () => {
    const { see } = world();
    const { start_date, end_date } = await see({ startMs: 0, endMs: NOW + 365 * DAY });
    expect(Date.parse(start_date)).toBeGreaterThan(NOW - RETENTION_MS - DAY);
    expect(Date.parse(end_date)).toBeLessThan(NOW + DAY);
  });

  it('counts the cases of the span by what they are now', async () => {
    const { see, cases } = world();
    cases.put('acc_1', openCase(NOW - HOUR));
    cases.put('acc_1', openCase(NOW - CASE_LIFE_MS));
    cases.put('acc_1', openCase(NOW - HOUR, { status: 'approved' }));
    for (let i = 0; i < 3; i++) cases.put('acc_1', openCase(NOW - 2 * HOUR, { status: 'rejected' }));
    cases.put('acc_1', openCase(NOW - 20 * DAY, { status: 'rejected' }));
    expect(await see()).toMatchObject({
      cases: { opened: 6, open: 1, approved: 1, rejected: 3, expired: 1 },
      review_precision: 0.75,
    });
  });

  it('is empty, without a single read, for a span that is turned round', async () => {
    const { see, deps } = world();
    const calls: string[] = [];
    const watch = <Port extends object>(port: Port) =>
      interpose(port, (call, apply) => {
        calls.push(call);
        return apply();
      });
    const over = { ...deps, counts: watch(deps.counts), cases: watch(deps.cases) };
    const endMs = Date.UTC(2025, 0, 1);
    expect(await see({ startMs: endMs + HOUR, endMs }, over)).toMatchObject({
      screenings: { total: 0 },
      cases: { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 },
      review_precision: null,
    });
    expect(calls).toEqual([]);
  });

  it.each(['counts', 'cases'] as const)('shows no half of it when the %s cannot be read', async (port) => {
    const { see, deps } = world();
    const down = {
      ...deps,
      [port]: interpose(
        deps[port],
        failing(() => 'before'),
      ),
    };
    await expect(see({}, down)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('desk counters', () => {
  const DAY = 86_400_000;
  const NOW = Date.parse('2026-11-14T12:34:56Z');
  const NO_CASES = { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 };
  const span = overviewSpan(NOW - DAY, NOW, NOW);
  const answerOf = (...parts: ReturnType<typeof addCounters>[]) =>
    overviewAnswer({
      span,
      parts: new Map(parts.map((part, i) => [span.fromMs + i, part])),
      ...{ cases: NO_CASES, desk: new Map(), before: { span: spanBefore(span), parts: new Map(), cases: NO_CASES } },
    });

  describe('money', () => {
    const held = screened(NOW, { automated_decision: 'review', amount: 100, currency: 'USD' });

    it('follows the decision in force: what a person rejects is no longer held, but blocked', () => {
      const opened = screenedCounters(held);
      expect(answerOf(opened)).toMatchObject({
        in_force: { review: 1, block: 0 },
        money: { blocked_usd: 0, held_usd: 100, missed_usd: 0 },
      });
      const rejected = addCounters(opened, movedCounters(held, 'review', 'block'));
      expect(answerOf(rejected)).toMatchObject({
        screenings: { review: 1, block: 0 },
        in_force: { review: 0, block: 1 },
        money: { blocked_usd: 100, held_usd: 0 },
      });
      const corrected = addCounters(rejected, movedCounters(held, 'block', 'allow'));
      expect(answerOf(corrected)).toMatchObject({
        in_force: { allow: 1, review: 0, block: 0 },
        money: { blocked_usd: 0, held_usd: 0 },
      });
      expect(movedCounters(held, 'block', 'block').size).toBe(0);
    });

    it('keeps nothing of what is allowed, until somebody outside reports it; a won dispute takes it back', () => {
      const paid = screened(NOW, { amount: 40.25, currency: 'USD' });
      expect([...screenedCounters(paid).keys()].filter((name) => name.startsWith('u:'))).toEqual([]);
      const reported = addCounters(screenedCounters(paid), missedCounters(paid, false, true));
      expect(answerOf(reported)).toMatchObject({ missed_fraud: 1, money: { missed_usd: 40.25 } });
      expect(answerOf(addCounters(reported, missedCounters(paid, true, false)))).toMatchObject({
        missed_fraud: 0,
        money: { missed_usd: 0 },
      });
    });

    it('does not count what a sandbox request forced, which is in no list', () => {
      const forced = screened(NOW, { automated_decision: 'block', decided_by: { kind: 'sandbox', name: null } });
      expect(answerOf(screenedCounters(forced))).toMatchObject({ in_force: { block: 0 }, money: { blocked_usd: 0 } });
    });
  });

  it('tells who resolved how many cases and how long they were open, the busiest first', () => {
    const resolved = (resolved_by: string | null, minutes: number, status: 'approved' | 'rejected') => {
      const resolved_at = new Date(NOW + minutes * 60_000).toISOString();
      return resolvedCounters(openCase(NOW, { status, resolved_by, resolved_at }));
    };
    const desk = addCounters(
      resolved('bo', 10, 'approved'),
      resolved('ana', 20, 'rejected'),
      resolved('ana', 120, 'approved'),
      resolved(null, 30, 'rejected'),
    );
    const answer = overviewAnswer({ span, parts: new Map(), cases: NO_CASES, desk, before: undefined });
    expect(answer.desk).toEqual({
      resolved: 4,
      within_hour: 3,
      average_seconds: 2_700,
      analysts: [
        { analyst: 'ana', resolved: 2, rejected: 1, average_seconds: 4_200 },
        { analyst: null, resolved: 1, rejected: 1, average_seconds: 1_800 },
        { analyst: 'bo', resolved: 1, rejected: 0, average_seconds: 600 },
      ],
    });
    expect(answer.previous).toBeNull();
  });

  it('compares hours with those of the week before, and days with as many days before', () => {
    const hours = (text: string) => Date.parse(`2026-11-${text}:00:00Z`);
    expect(spanBefore(span)).toEqual({ interval: 'hour', fromMs: hours('06T12'), toMs: hours('07T13') });
    const month = overviewSpan(NOW - 30 * DAY, NOW, NOW);
    const before = spanBefore(month);
    expect([before.toMs, before.toMs - before.fromMs]).toEqual([month.fromMs, month.toMs - month.fromMs]);
  });
});

describe('tally changes', () => {
  const NOW = Date.parse('2026-11-14T12:00:00Z');
  const HOUR = 3_600_000;

  interface Raw {
    readonly account: string;
    readonly atMs: number;
    readonly poison?: 'unreadable' | 'refused';
  }

  /** Longer than a name may be: the table will never take it. */
  const ENDLESS = 'x'.repeat(66_000);

  /** Tallies in memory, whose calls of `add` go wrong one after another as listed. */
  function table(faults: (Moment | undefined)[] = []) {
    const overview = memoryOverview();
    const tallies = interpose(
      overview,
      failing((call) => (call === 'add' ? faults.shift() : undefined)),
    );
    return { overview, tallies };
  }

  const deps = (tallies: TallyChangesDeps<Raw>['tallies']): TallyChangesDeps<Raw> => ({
    clock: { now: () => NOW },
    read: ({ account, atMs, poison }) => {
      if (poison === 'unreadable') throw new Error('no such shape');
      return { account_id: account, at_ms: atMs, counters: new Map([[poison ? ENDLESS : 'allow', 1]]) };
    },
    tallies,
    report: () => undefined,
  });

  const numbered = (raws: readonly Raw[], from = 1) => raws.map((raw, i) => ({ sequence: String(from + i), raw }));
  const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c'];
  const HUNDRED = Array.from({ length: 100 }, (_, i) => `acc_${i}`);

  /** How many were let through, of some accounts and over all hours or days that a test writes to. */
  async function sumOf(
    { overview }: ReturnType<typeof table>,
    interval: Interval,
    accounts = ACCOUNTS,
  ): Promise<number> {
    const span = { interval, fromMs: NOW - 21 * 24 * HOUR, toMs: NOW + HOUR };
    const read = await Promise.all(accounts.map((account) => overview.read(account, span)));
    return addCounters(...read.flatMap((parts) => [...parts.values()])).get('allow') ?? 0;
  }

  describe('counting a shard', () => {
    const raw = fc.record({
      account: fc.constantFrom('acc_a', 'acc_b', 'acc_c'),
      atMs: fc.integer({ min: NOW - 3 * 24 * HOUR, max: NOW }),
    });

    it('counts every record exactly once, however batches are cut, repeated, lost before or after the write', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(raw, { minLength: 1, maxLength: 150 }),
          fc.array(fc.constantFrom<Moment | undefined>(undefined, 'before', 'after'), { maxLength: 30 }),
          fc.infiniteStream(
            fc.record({ size: fc.integer({ min: 1, max: 120 }), back: fc.integer({ min: 0, max: 40 }) }),
          ),
          async (raws, faults, cuts) => {
            const here = table(faults);
            const { tallies } = here;
            const records = numbered(raws, 8);
            // As Lambda does it: from the first record that failed, or, having lost its place, from somewhat before.
            for (let at = 0; at < records.length; ) {
              const { size, back } = cuts.next().value;
              const start = Math.max(0, at - back);
              const batch = records.slice(start, Math.max(start + size, at + 1));
              const { failed } = await tallyChanges(deps(tallies), 'shard-1', batch);
              at =
                failed === undefined ? start + batch.length : records.findIndex(({ sequence }) => sequence === failed);
            }
            expect(await sumOf(here, 'day')).toBe(raws.length);
            expect(await sumOf(here, 'hour')).toBe(raws.length);
            for (const account of ['acc_a', 'acc_b', 'acc_c']) {
              expect(await sumOf(here, 'day', [account])).toBe(raws.filter((each) => each.account === account).length);
            }
          },
        ),
        { numRuns: 200 },
      );
    });

    it('lets two calls for the same batch race: what one has counted the other leaves', async () => {
      const here = table();
      const { tallies } = here;
      const records = numbered(Array.from({ length: 100 }, () => ({ account: 'acc_a', atMs: NOW })));
      const reports = await Promise.all([
        tallyChanges(deps(tallies), 'shard-1', records),
        tallyChanges(deps(tallies), 'shard-1', records),
      ]);
      for (const { failed } of reports.filter((report) => report.failed)) {
        const rest = records.filter(({ sequence }) => Number(sequence) >= Number(failed));
        await tallyChanges(deps(tallies), 'shard-1', rest);
      }
      expect(await sumOf(here, 'day')).toBe(100);
    });

    it('never puts more into a transaction than it takes, and no less than it could', async () => {
      const here = table();
      const { tallies } = here;
      const sizes: number[] = [];
      const add: typeof tallies.add = (shardId, before, after, parts) => {
        sizes.push(parts.length);
        return tallies.add(shardId, before, after, parts);
      };
      const raws = Array.from({ length: 300 }, (_, i) => ({ account: `acc_${i % 100}`, atMs: NOW }));
      await tallyChanges(deps({ ...tallies, add }), 'shard-1', numbered(raws));
      expect(await sumOf(here, 'day', HUNDRED)).toBe(300);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(99);
      sizes.length = 0;
      const one = Array.from({ length: 1000 }, () => ({ account: 'acc_a', atMs: NOW }));
      await tallyChanges(deps({ ...tallies, add }), 'shard-2', numbered(one));
      expect(sizes).toEqual([2]);
    });

    it('knows that 10 comes after 9, and keeps shards apart', async () => {
      const here = table();
      const { tallies } = here;
      const one = [{ account: 'acc_a', atMs: NOW }];
      for (const from of [9, 10, 9]) await tallyChanges(deps(tallies), 'shard-1', numbered(one, from));
      await tallyChanges(deps(tallies), 'shard-2', numbered(one, 9));
      expect(await sumOf(here, 'day')).toBe(3);
    });

    it('leaves out only the record that cannot be counted, and says so', async () => {
      const here = table();
      const { tallies } = here;
      const raws = Array.from({ length: 90 }, (_, i): Raw => {
        const poison = i === 17 ? 'unreadable' : i === 61 ? 'refused' : undefined;
        return { account: 'acc_a', atMs: NOW, ...(poison ? { poison } : {}) };
      });
      const report = await tallyChanges(deps(tallies), 'shard-1', numbered(raws));
      expect(report).toEqual({ counted: 88, repeated: 0, skipped: 2, failed: undefined });
      expect(await sumOf(here, 'day')).toBe(88);
    });

    it('counts a late label by the day only: its hour is no longer shown', async () => {
      const here = table();
      const { tallies } = here;
      await tallyChanges(deps(tallies), 'shard-1', numbered([{ account: 'acc_a', atMs: NOW - 20 * 24 * HOUR }]));
      expect([await sumOf(here, 'hour'), await sumOf(here, 'day')]).toEqual([0, 1]);
    });

    it('lets a bug be a bug: the batch fails as a whole and comes again', async () => {
      const { tallies } = table();
      const broken = { ...tallies, add: () => Promise.reject(new TypeError('a bug')) };
      const records = numbered([{ account: 'acc_a', atMs: NOW }]);
      await expect(tallyChanges(deps(broken), 'shard-1', records)).rejects.toThrow('a bug');
    });
  });
});

describe('tally record', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const image = (item: object) => marshall(item, { removeUndefinedValues: true });
  const change = (before: object, after: object) =>
    readTally({ eventName: 'MODIFY', dynamodb: { OldImage: image(before), NewImage: image(after) } });

  it('counts a payment that was allowed as missed once it is reported, and no longer when that is withdrawn', () => {
    const kept = keptSubject(screened(NOW, { amount: 30, currency: 'USD' }), NOW + 1);
    const charged = {
      ...kept,
      version: 1,
      in_force: { label: 'fraud', known_at_ms: NOW, source: 'chargeback' },
    } as const;
    const item = (of: typeof kept) => keptPut('acc_1', of).Put?.Item ?? {};
    expect(item(charged)).toMatchObject({
      due_pk: expect.stringContaining('#missed_fraud#'),
      due_sk: kept.screening.ulid,
    });
    expect(item(kept)).not.toHaveProperty('due_pk');
    const counted = change(item(kept), item(charged));
    expect(counted).toMatchObject({ account_id: 'acc_1', at_ms: NOW });
    expect(Object.fromEntries(counted?.counters ?? [])).toMatchObject({
      missed: 1,
      'u:missed': 3000,
      'allow:fraud': 1,
    });
    expect(Object.fromEntries(change(item(charged), item(kept))?.counters ?? [])).toMatchObject({
      missed: -1,
      'u:missed': -3000,
    });
    const first = readTally({ eventName: 'INSERT', dynamodb: { NewImage: image(item(charged)) } });
    expect(first?.counters).toEqual(counted?.counters);
    expect(readTally({ eventName: 'INSERT', dynamodb: { NewImage: image(item(kept)) } })).toBeUndefined();
    // A person who says the same made it a blocked one: nobody outside is needed for that.
    const said = { ...charged, in_force: { ...charged.in_force, source: 'review' } } as const;
    expect(Object.fromEntries(change(item(charged), item(said))?.counters ?? [])).toMatchObject({ missed: -1 });
  });

  it('counts the resolution of a case for its analyst, once', () => {
    const opened = openCase(NOW);
    const item = openCaseItems('acc_1', opened)[0]?.Put?.Item ?? {};
    const resolved = {
      ...item,
      status: 'rejected',
      resolved_by: 'ana',
      resolved_at: new Date(NOW + 60_000).toISOString(),
    };
    const counted = change(item, resolved);
    expect(counted).toMatchObject({ account_id: 'acc_1', at_ms: NOW, about: 'desk' });
    expect(Object.fromEntries(counted?.counters ?? [])).toEqual({ 'n:ana': 1, 'r:ana': 1, 't:ana': 60, hour: 1 });
    expect(change(resolved, { ...resolved, comments: 1 })).toBeUndefined();
    expect(change(item, { ...item, comments: 1 })).toBeUndefined();
  });
});

describe('watch rules', () => {
  const screenings = (account_id: string, made: number, rule?: string): RuledScreening[] =>
    Array.from({ length: made }, () => ({ account_id, rule }));
  const deps = { readRuled: (raw: RuledScreening) => raw };

  describe('watching what rules decide', () => {
    it('finds the rule with the largest share of its own account, however small that account is in the stage', () => {
      const batch = [
        ...screenings('acc_large', 5_000),
        ...screenings('acc_large', 40, 'usual'),
        ...screenings('acc_small', 90),
        ...screenings('acc_small', 10, 'runaway'),
      ];
      const { share } = watchRules(deps, {}, batch);
      expect(share).toEqual({ account_id: 'acc_small', rule: 'runaway', percent: 10 });
    });

    it('adds batches of a window up, so that a slow account is watched as well', () => {
      const batch = [...screenings('acc_a', 9), ...screenings('acc_a', 1, 'gift-cards')];
      let watched = watchRules(deps, {}, batch);
      for (let batches = 1; batches < LEAST_SCREENINGS / 10; batches++) {
        expect(watched.share).toBeUndefined();
        // As Lambda carries it: through JSON.
        watched = watchRules(deps, JSON.parse(JSON.stringify(watched.uses)), batch);
      }
      expect(watched.share).toEqual({ account_id: 'acc_a', rule: 'gift-cards', percent: 10 });
    });

    it('says nothing of accounts without rules', () => {
      expect(watchRules(deps, {}, screenings('acc_a', 1_000)).share).toBeUndefined();
    });

    it('carries no more than Lambda takes, whatever the number of accounts', () => {
      const many = Array.from({ length: 10_000 }, (_, i) =>
        screenings(`acc_${String(i).padStart(26, '0')}`, 1, 'gift-cards'),
      );
      const uses = countRules({}, many.flat());
      expect(JSON.stringify(uses).length).toBeLessThan(1_000_000);
      expect(largestRuleShare(uses)).toBeUndefined();
    });
  });

  describe('a change of the table', () => {
    const image = (decided_by?: object) => ({
      entity: { S: 'screening' },
      pk: { S: 'SUBJECT#acc_a#01K9ZC3V5T8QJ4M2N6P7R8S9TB' },
      ...(decided_by ? { decided_by: { M: decided_by } } : {}),
    });
    const read = (eventName: 'INSERT' | 'MODIFY', NewImage: Record<string, unknown>) =>
      readRuled({ eventName, dynamodb: { NewImage } });

    it('is a new screening, decided by a rule or not', () => {
      expect(read('INSERT', image())).toEqual({ account_id: 'acc_a', rule: undefined });
      expect(read('INSERT', image({ kind: { S: 'rule' }, name: { S: 'gift-cards' } }))).toEqual({
        account_id: 'acc_a',
        rule: 'gift-cards',
      });
      expect(read('INSERT', image({ kind: { S: 'list' }, name: { S: 'vips' } }))?.rule).toBeUndefined();
    });

    it('is anything else', () => {
      expect(read('MODIFY', image({ kind: { S: 'rule' }, name: { S: 'gift-cards' } }))).toBeUndefined();
      expect(read('INSERT', { ...image(), entity: { S: 'kept' } })).toBeUndefined();
    });
  });
});
