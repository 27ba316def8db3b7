import { outcomeChange } from '../../../shared/domain/cases/outcome';
import { RETENTION_MS, type ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { lowestUlid } from '../../../shared/domain/ulid';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { DecisionsPort, ScreeningsPort } from '../memory/memory-screenings';
import { screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Lists of decisions, with what writes them. */
export interface DecisionsWorld {
  readonly screenings: ScreeningsPort;
  readonly decisions: DecisionsPort;
  readonly outcomes: OutcomesPort;
}

const MINUTE = 60_000;
// As far back as anybody may ask: each month takes a query per shard.
const ALL = { from: lowestUlid(START_MS - RETENTION_MS), before: lowestUlid(START_MS + 100 * 86_400_000) };

/** Tests that every list of decisions must pass. */
export function describeDecisionsConformance(name: string, makePort: MakePort<DecisionsWorld>): void {
  describe(`decisions in ${name}`, () => {
    let world: DecisionsWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });

    async function screen(atMs: number, change: Partial<ScreeningRecord> = {}): Promise<string> {
      const record = screened(atMs, { entities: ['user#1.ann', 'device#1.d'], ...change });
      await world.screenings.insert(account, record, PATIENT_MS);
      return record.ulid;
    }
    const block = (atMs: number, change: Partial<ScreeningRecord> = {}) =>
      screen(atMs, { automated_decision: 'block', ...change });
    async function review(ulid: string, decision: 'allow' | 'block'): Promise<void> {
      const state = await world.outcomes.findSubject(account, ulid);
      if (!state) throw new Error('no such screening');
      const stated = { decision, analyst_id: null, notes: null, reviewed_at: new Date(START_MS).toISOString() };
      const origin = { source: 'decision_review', keyId: 'key_1' } as const;
      await world.outcomes.save(account, outcomeChange(state, stated, origin, START_MS), START_MS);
    }
    const blocked = async (limit = 10) => (await world.decisions.decided(account, 'block', ALL, limit)).ulids;

    it("lists a user's screenings newest first, slice by slice, and nobody else's", async () => {
      const made: string[] = [];
      for (let at = 0; at < 5; at++) made.unshift(await screen(START_MS + at * MINUTE));
      await screen(START_MS, { entities: ['user#1.bob'] });
      const first = await world.decisions.ofUser(account, '1.ann', ALL, { limit: 2 });
      expect(first.ulids.slice(0, 2)).toEqual(made.slice(0, 2));
      const second = { ...ALL, before: made[1] as string };
      const rest = await world.decisions.ofUser(account, '1.ann', second, { limit: 10 });
      expect(rest).toEqual({ ulids: made.slice(2), next: undefined });
      const span = { from: lowestUlid(START_MS + MINUTE), before: lowestUlid(START_MS + 3 * MINUTE) };
      const part = await world.decisions.ofUser(account, '1.ann', span, { limit: 10 });
      expect(part.ulids).toEqual(made.slice(2, 4));
      expect(await world.decisions.ofUser(freshAccount(), '1.ann', ALL, { limit: 9 })).toEqual({
        ulids: [],
        next: undefined,
      });
    });

    it('picks by decision what may have it: automated, or reviewed', async () => {
      await screen(START_MS);
      const stopped = await block(START_MS + MINUTE);
      const overridden = await screen(START_MS + 2 * MINUTE);
      await review(overridden, 'block');
      const found = await world.decisions.ofUser(account, '1.ann', ALL, { limit: 10, decision: 'block' });
      expect(found.ulids).toEqual([overridden, stopped]);
    });

    it('lists what is blocked across months, newest first, by the decision in force', async () => {
      const old = await block(START_MS);
      const young = await block(START_MS + 40 * 86_400_000, { entities: ['user#1.bob'] });
      await screen(START_MS + MINUTE);
      expect(await blocked()).toContain(young);
      const all = [young];
      for (let { ulids, next } = await world.decisions.decided(account, 'block', ALL, 1); ; ) {
        if (next === undefined) break;
        ({ ulids, next } = await world.decisions.decided(account, 'block', { ...ALL, before: next }, 1));
        all.push(...ulids);
      }
      expect(all).toEqual([young, old]);
      await review(young, 'allow');
      expect(await blocked()).toEqual([old]);
      await review(young, 'block');
      expect(await blocked()).toContain(young);
    });

    it('leaves out what an account does not list', async () => {
      const ulid = await block(START_MS, { unlisted: true });
      await review(ulid, 'block');
      expect(await blocked()).toEqual([]);
      expect((await world.decisions.ofUser(account, '1.ann', ALL, { limit: 10 })).ulids).toEqual([]);
    });

    it('finds a forced decision like any other, although its entities name nobody', async () => {
      const ulid = await block(START_MS, { entities: [], listed_user: '1.ann' });
      expect(await blocked()).toEqual([ulid]);
      expect((await world.decisions.ofUser(account, '1.ann', ALL, { limit: 10 })).ulids).toEqual([ulid]);
    });

    it('reads screenings in the order asked for, and leaves out those that are gone', async () => {
      const [one, two] = [await screen(START_MS), await screen(START_MS + MINUTE)];
      const gone = screened(START_MS).ulid;
      const found = await world.decisions.findAll(account, [two, gone, one]);
      expect(found.map(({ ulid }) => ulid)).toEqual([two, one]);
      expect(await world.decisions.findAll(account, [])).toEqual([]);
      expect(await world.decisions.findAll(freshAccount(), [one])).toEqual([]);
    });
  });
}
