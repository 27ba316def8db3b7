import fc from 'fast-check';
import {
  CASE_CLASSES,
  type CaseClass,
  classOf,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type Tally,
} from '../../../shared/domain/cases/case-tally';
import { outcomeChange } from '../../../shared/domain/cases/outcome';
import { CASE_LIFE_MS, type ReviewCase } from '../../../shared/domain/cases/review-case';
import { newUlid } from '../../../shared/runtime/ids';
import type { CasesPort } from '../memory/memory-cases';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { ScreeningsPort } from '../memory/memory-screenings';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Cases with what opens and resolves them. */
export interface CasesWorld {
  readonly screenings: ScreeningsPort;
  readonly cases: CasesPort;
  readonly outcomes: OutcomesPort;
}

const byAge = (a: ReviewCase, b: ReviewCase): number => (a.ulid < b.ulid ? 1 : -1);
const ulidsOf = (cases: readonly ReviewCase[]): string[] => cases.map(({ ulid }) => ulid);
const plain = (tally: Tally): Record<string, Record<CaseClass, number>> =>
  Object.fromEntries([...tally].map(([at, counts]) => [new Date(at).toISOString(), counts]));

/** Tests that every store of cases must pass. `makePort` returns an empty one: what is due is due for all accounts. */
export function describeCasesConformance(name: string, makePort: MakePort<CasesWorld>, runs = 30): void {
  describe(`cases in ${name}`, () => {
    let world: CasesWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });

    async function open(atMs: number, accountId = account, change = {}): Promise<ReviewCase> {
      const record = screened(atMs, { automated_decision: 'review', ...change });
      const reviewCase = openCase(atMs, { ulid: record.ulid });
      await world.screenings.insertWithCase(accountId, record, reviewCase, PATIENT_MS);
      return reviewCase;
    }
    async function resolve({ ulid }: ReviewCase, decision: 'allow' | 'block', nowMs: number, accountId = account) {
      const state = await world.outcomes.findSubject(accountId, ulid);
      const review = { decision, analyst_id: 'ann', notes: 'n', reviewed_at: new Date(nowMs).toISOString() };
      const origin = { source: 'case', keyId: 'key_1' } as const;
      return state && world.outcomes.save(accountId, outcomeChange(state, review, origin, nowMs), nowMs);
    }
    const dueAt = async (nowMs: number) =>
      (await Promise.all(world.cases.shards.map((shard) => world.cases.due(shard, nowMs, 100)))).flat();
    const counts = (unresolved: number, approved = 0, rejected = 0) => ({ unresolved, approved, rejected });

    it('reads a day in both directions, in slices that continue after a case', async () => {
      const made: string[] = [];
      for (let minute = 0; minute < 7; minute++) made.push((await open(START_MS + minute * MINUTE_MS)).ulid);
      await open(START_MS + DAY_MS);
      const day = { fromMs: START_MS, toMs: START_MS + HOUR_MS, classes: CASE_CLASSES };
      const slice = async (isOldestFirst: boolean, limit: number, beyond?: string) =>
        ulidsOf(await world.cases.ofDay(account, day, { isOldestFirst, limit, beyond }));
      expect(await slice(true, 3)).toEqual(made.slice(0, 3));
      expect(await slice(true, 9, made[2])).toEqual(made.slice(3));
      expect(await slice(false, 3)).toEqual(made.slice(4).reverse());
      expect(await slice(false, 9, made[4])).toEqual(made.slice(0, 4).reverse());
      expect(await slice(true, 9, made[6])).toEqual([]);
    });

    it('reads a day without a gap where its cases crowd into one part of the lists', async () => {
      const made: string[] = [];
      for (let at = 0; at < 45; at++) {
        const ulid = `${newUlid(START_MS + at).slice(0, -1)}${at < 40 ? '0' : '1'}`;
        made.push((await open(START_MS + at, account, { ulid })).ulid);
      }
      const day = { fromMs: START_MS, toMs: START_MS + HOUR_MS, classes: CASE_CLASSES };
      for (const isOldestFirst of [true, false]) {
        const inOrder = isOldestFirst ? made : [...made].reverse();
        const slice = { isOldestFirst, limit: 30 };
        expect(ulidsOf(await world.cases.ofDay(account, day, slice))).toEqual(inOrder.slice(0, 30));
        const rest = await world.cases.ofDay(account, day, { ...slice, beyond: inOrder[20] });
        expect(ulidsOf(rest)).toEqual(inOrder.slice(21));
      }
    });

    it('finds cases by their ULIDs, in that order, without those that are gone or of somebody else', async () => {
      const [first, second] = [await open(START_MS), await open(START_MS + DAY_MS)];
      const foreign = await open(START_MS, freshAccount());
      const asked = ulidsOf([second, foreign, openCase(START_MS), first]);
      expect(ulidsOf(await world.cases.findAll(account, asked))).toEqual(ulidsOf([second, first]));
    });

    it('counts cases by hour and by minute, where they were opened', async () => {
      const [first] = await Promise.all([
        open(START_MS),
        open(START_MS + 59_999),
        open(START_MS + MINUTE_MS),
        open(START_MS + HOUR_MS),
        open(START_MS + DAY_MS),
        open(START_MS, freshAccount()),
      ]);
      const hours = async (toMs: number) => plain(await world.cases.hours(account, START_MS, toMs));
      expect(await hours(START_MS)).toEqual({
        '2026-03-01T10:00:00.000Z': counts(3),
        '2026-03-01T11:00:00.000Z': counts(1),
      });
      expect(await hours(START_MS + DAY_MS)).toMatchObject({ '2026-03-02T10:00:00.000Z': counts(1) });
      expect(plain(await world.cases.minutes(account, START_MS))).toEqual({
        '2026-03-01T10:00:00.000Z': counts(2),
        '2026-03-01T10:01:00.000Z': counts(1),
      });
      await resolve(first as ReviewCase, 'block', START_MS + 5);
      expect(plain(await world.cases.minutes(account, START_MS))).toEqual({
        '2026-03-01T10:00:00.000Z': counts(1, 0, 1),
        '2026-03-01T10:01:00.000Z': counts(1),
      });
      expect((await world.cases.minutes(account, START_MS + 5 * HOUR_MS)).size).toBe(0);
    });

    it('lists the newest first, within a span and by class', async () => {
      const opened: ReviewCase[] = [];
      for (let i = 0; i < 7; i++) opened.push(await open(START_MS + i));
      await open(START_MS, freshAccount());
      await resolve(opened[2] as ReviewCase, 'allow', START_MS + 100);
      const span = { fromMs: START_MS, toMs: START_MS + 10 };
      const all = { ...span, classes: CASE_CLASSES };
      const newestFirst = ulidsOf([...opened].reverse());
      expect(ulidsOf(await world.cases.newest(account, all, 100))).toEqual(newestFirst);
      expect(ulidsOf(await world.cases.newest(account, all, 3))).toEqual(newestFirst.slice(0, 3));
      const cut = { ...all, fromMs: START_MS + 1, toMs: START_MS + 4 };
      expect(ulidsOf(await world.cases.newest(account, cut, 100))).toEqual(newestFirst.slice(3, 6));
      expect(await world.cases.count(account, cut)).toBe(3);
      const approved = await world.cases.newest(account, { ...span, classes: ['approved'] }, 100);
      expect(approved).toEqual([
        {
          ...opened[2],
          status: 'approved',
          resolved_at: new Date(START_MS + 100).toISOString(),
          resolved_by: 'ann',
          notes: 'n',
        },
      ]);
      expect(await world.cases.count(account, { ...span, classes: ['unresolved', 'approved'] })).toBe(7);
      expect(await world.cases.count(account, { ...span, classes: ['rejected'] })).toBe(0);
    });

    it('finds what is due from the very millisecond on, the oldest of a shard first', async () => {
      const opened = [await open(START_MS), await open(START_MS + 1), await open(START_MS + 2)];
      expect(await dueAt(START_MS + CASE_LIFE_MS - 1)).toEqual([]);
      const due = await dueAt(START_MS + CASE_LIFE_MS + 1);
      const instants = [0, 1].map((after) => new Date(START_MS + CASE_LIFE_MS + after).toISOString());
      expect(due.map((each) => each.dueAt).sort()).toEqual(instants);
      const waiting = await Promise.all(
        world.cases.shards.map((shard) => world.cases.waiting(shard, START_MS + CASE_LIFE_MS + 1)),
      );
      expect(waiting.reduce((sum, { count }) => sum + count, 0)).toBe(1);
      const last = opened[2]!.created_at_ms + CASE_LIFE_MS;
      const firstDue = waiting.flatMap(({ firstDueAt }) => firstDueAt ?? []);
      expect(firstDue).toEqual([new Date(last).toISOString()]);
    });

    it('takes no more than it is asked to from a shard', async () => {
      // More than there are shards: one of them has two.
      for (let i = 0; i <= world.cases.shards.length; i++) await open(START_MS + i);
      const sizes = await Promise.all(
        world.cases.shards.map(async (shard) => (await world.cases.due(shard, START_MS + 2 * CASE_LIFE_MS, 2)).length),
      );
      expect(Math.max(...sizes)).toBe(2);
    });

    it('expires a case once, and not before its time', async () => {
      const reviewCase = await open(START_MS);
      const endMs = START_MS + CASE_LIFE_MS;
      const [due] = (await dueAt(endMs)) as [Awaited<ReturnType<CasesPort['due']>>[0]];
      expect(await world.cases.expire(due, endMs - 1)).toBe(false);
      const expired = await Promise.all([1, 2, 3].map(() => world.cases.expire(due, endMs)));
      expect(expired.filter(Boolean)).toHaveLength(1);
      expect(await world.cases.find(account, reviewCase.ulid)).toEqual({ ...reviewCase, status: 'expired' });
      expect(await dueAt(endMs + DAY_MS)).toEqual([]);
      // Expired cases stay unresolved in lists and tallies: their age says the rest.
      const span = { fromMs: START_MS, toMs: START_MS + 1, classes: ['unresolved'] as const };
      expect(await world.cases.count(account, span)).toBe(1);
    });

    it('does not expire what was resolved meanwhile', async () => {
      const reviewCase = await open(START_MS);
      const endMs = START_MS + CASE_LIFE_MS;
      const due = await dueAt(endMs);
      await resolve(reviewCase, 'allow', endMs - 1);
      expect(await Promise.all(due.map((each) => world.cases.expire(each, endMs)))).toEqual([false]);
      expect(await dueAt(endMs)).toEqual([]);
      expect(await world.cases.find(account, reviewCase.ulid)).toMatchObject({ status: 'approved' });
    });

    it('has tallies and lists that agree, whatever is opened and resolved', async () => {
      const plan = fc.array(
        fc.record({
          afterMs: fc.constantFrom(0, 1, 59_999, MINUTE_MS, HOUR_MS, 14 * HOUR_MS),
          end: fc.constantFrom<'allow' | 'block' | undefined>('allow', 'block', undefined),
        }),
        { minLength: 1, maxLength: 6 },
      );
      await fc.assert(
        fc.asyncProperty(plan, async (opened) => {
          const own = freshAccount();
          const known: ReviewCase[] = [];
          for (const { afterMs, end } of opened) {
            const reviewCase = await open(START_MS + afterMs, own);
            if (end) await resolve(reviewCase, end, START_MS + DAY_MS, own);
            known.push((await world.cases.find(own, reviewCase.ulid)) as ReviewCase);
          }
          const tally = await world.cases.hours(own, START_MS, START_MS + DAY_MS - 1);
          for (const each of CASE_CLASSES) {
            const ofClass = known.filter(({ status }) => classOf(status) === each);
            const counted = [...tally.values()].reduce((sum, part) => sum + part[each], 0);
            expect(counted).toBe(ofClass.length);
            const listed: ReviewCase[] = [];
            for (const toMs of [START_MS + DAY_MS, Date.UTC(2026, 2, 2)]) {
              const span = { fromMs: toMs - (toMs % DAY_MS || DAY_MS), toMs, classes: [each] };
              listed.push(...(await world.cases.newest(own, span, 100)));
            }
            expect(listed).toEqual([...ofClass].sort(byAge));
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
