import { type DeskEntry, revised, unclaimed } from '../../../shared/domain/cases/desk-change';
import { outcomeChange } from '../../../shared/domain/cases/outcome';
import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import { newUlid } from '../../../shared/runtime/ids';
import type { AnswersPort } from '../memory/memory-answers';
import type { CasesPort } from '../memory/memory-cases';
import type { DeskPort } from '../memory/memory-desk';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { ScreeningsPort } from '../memory/memory-screenings';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Cases with what a team does to them, and what decides them. */
export interface DeskWorld {
  readonly screenings: ScreeningsPort;
  readonly cases: CasesPort;
  readonly outcomes: OutcomesPort;
  readonly desk: DeskPort;
  readonly answers: AnswersPort;
}

const entry = (kind: DeskEntry['kind'], atMs: number, actor = 'ana'): DeskEntry => ({
  ulid: newUlid(atMs),
  ...{ kind, actor, key_id: 'key_1', proven: true, at: new Date(atMs).toISOString() },
  ...(kind === 'commented' ? { text: 'seen' } : {}),
});
const claimed = (before: ReviewCase, assignee = 'ana') => ({
  before,
  after: revised(before, { claim: { assignee, until_ms: START_MS + 900_000 } }),
  entry: entry('claimed', START_MS + 1, assignee),
});
const commented = (before: ReviewCase) => ({
  before,
  after: revised(before, { comments: (before.comments ?? 0) + 1 }),
  entry: entry('commented', START_MS + 2),
});
/** The audit trail's entry for the resolution below. */
const RESOLVED = {
  source: 'case',
  decision: 'block',
  previous_decision: 'review',
  analyst_id: 'bo',
  notes: null,
  at: new Date(START_MS + 5).toISOString(),
  key_id: 'key_2',
  reason_code: 'card_testing',
};
const answer = { scope: 'scope', body_hash: 'hash', status: 200, body: '{}' };

/** Tests that every store of a team's work on cases must pass. */
export function describeDeskConformance(name: string, makePort: MakePort<DeskWorld>): void {
  describe(`the desk in ${name}`, () => {
    let world: DeskWorld;
    let account: string;
    let opened: ReviewCase;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
      const record = screened(START_MS, { automated_decision: 'review' });
      opened = openCase(START_MS, { ulid: record.ulid });
      await world.screenings.insertWithCase(account, record, opened, PATIENT_MS);
    });
    const found = async (): Promise<ReviewCase> => (await world.desk.find(account, opened.ulid)) as ReviewCase;
    const save = (change: Parameters<DeskPort['save']>[1], withAnswer?: typeof answer) =>
      world.desk.save(account, change, START_MS + 1, withAnswer);
    async function resolve(from: ReviewCase): Promise<boolean> {
      const record = (await world.outcomes.findSubject(account, opened.ulid))?.record;
      if (!record) throw new Error('no such subject');
      const reviewed_at = new Date(START_MS + 5).toISOString();
      const review = {
        decision: 'block',
        analyst_id: 'bo',
        notes: null,
        reason_code: 'card_testing',
        reviewed_at,
      } as const;
      const origin = { source: 'case', keyId: 'key_2', scope: 'bulk' } as const;
      const change = outcomeChange({ record, reviewCase: from }, review, origin, START_MS + 5);
      return world.outcomes.save(account, change, START_MS + 5);
    }
    const listed = async () =>
      world.cases.newest(account, { fromMs: START_MS, toMs: START_MS + 1, classes: ['unresolved'] }, 10);

    it('keeps a claim, a renewal and a release, on the case and in lists', async () => {
      expect(await save(claimed(opened))).toBe(true);
      expect(await found()).toEqual(claimed(opened).after);
      expect(await listed()).toEqual([claimed(opened).after]);
      const released = revised(unclaimed(await found()), {});
      expect(await save({ before: await found(), after: released, entry: undefined })).toBe(true);
      expect((await found()).claim).toBeUndefined();
      expect(await listed()).toMatchObject([{ ulid: opened.ulid, revision: 2 }]);
    });

    it('lets one of several through that began from the same state, and logs only that', async () => {
      const saved = await Promise.all(['ana', 'bo', 'cy', 'di'].map((who) => save(claimed(opened, who))));
      expect(saved.filter(Boolean)).toHaveLength(1);
      const winner = ['ana', 'bo', 'cy', 'di'][saved.indexOf(true)];
      expect((await found()).claim?.assignee).toBe(winner);
      const { desk } = await world.desk.history(account, opened.ulid);
      expect(desk.map(({ actor }) => actor)).toEqual([winner]);
    });

    it('does not resolve what was claimed or commented since it was read, nor the other way round', async () => {
      await save(claimed(opened));
      expect(await resolve(opened)).toBe(false);
      const now = await found();
      await save(commented(now));
      expect(await resolve(now)).toBe(false);
      const last = await found();
      expect(await resolve(last)).toBe(true);
      expect(await save(claimed(last))).toBe(false);
      expect(await found()).toMatchObject({ status: 'rejected', comments: 1, reason_code: 'card_testing' });
      expect(await found()).toMatchObject({ resolved_under: 'bulk', resolved_by: 'bo' });
      expect((await found()).claim).toBeUndefined();
    });

    it('takes a comment on a resolved case, and shows it in its list', async () => {
      await resolve(opened);
      expect(await save(commented(await found()))).toBe(true);
      const rejected = { fromMs: START_MS, toMs: START_MS + 1, classes: ['rejected'] as const };
      expect(await world.cases.newest(account, rejected, 10)).toMatchObject([{ comments: 1, status: 'rejected' }]);
      expect(await listed()).toEqual([]);
    });

    it('records the answer with the change, or neither', async () => {
      expect(await save(claimed(opened), answer)).toBe(true);
      expect(await world.answers.find(account, 'scope', START_MS + 1)).toEqual(answer);
      const now = await found();
      await expect(save(commented(now), answer)).rejects.toBeInstanceOf(ClaimTaken);
      expect(await found()).toEqual(now);
      const other = { ...answer, scope: 'other' };
      expect(await save(claimed(opened), other)).toBe(false);
      expect(await world.answers.find(account, 'other', START_MS + 1)).toBeUndefined();
    });

    it('keeps the whole audit trail in order, with and without a case to resolve', async () => {
      await resolve(opened);
      const correct = async (decision: 'allow' | 'block', number: number): Promise<void> => {
        const before = await world.outcomes.findSubject(account, opened.ulid);
        if (!before) throw new Error('no such subject');
        const reviewed_at = new Date(START_MS + number).toISOString();
        const review = { decision, analyst_id: 'cy', notes: 'seen again', reviewed_at };
        const origin = { source: 'decision_review', keyId: 'key_3', isProven: true } as const;
        const change = outcomeChange(before, review, origin, START_MS + number);
        expect(await world.outcomes.save(account, change, START_MS + number)).toBe(true);
      };
      await correct('allow', 6);
      await correct('block', 7);
      const { audits } = await world.desk.history(account, opened.ulid);
      const corrected = {
        source: 'decision_review',
        analyst_id: 'cy',
        notes: 'seen again',
        key_id: 'key_3',
        proven: true,
      };
      expect(audits).toEqual([
        RESOLVED,
        expect.objectContaining({ ...corrected, decision: 'allow', previous_decision: 'block' }),
        expect.objectContaining({ ...corrected, decision: 'block', previous_decision: 'allow' }),
      ]);
    });

    it('tells everything about one subject, and nothing of another account', async () => {
      const [first, second] = [claimed(opened), commented(claimed(opened).after)];
      await save(first);
      await save(second);
      await resolve(await found());
      const history = await world.desk.history(account, opened.ulid);
      expect(history.record).toMatchObject({ ulid: opened.ulid, review_count: 1 });
      expect(history.reviewCase).toEqual(await found());
      expect(history.desk.map(({ kind }) => kind)).toEqual(['claimed', 'commented']);
      expect(history.desk[1]).toEqual(second.entry);
      expect(history.audits).toEqual([RESOLVED]);
      expect(await world.desk.history(freshAccount(), opened.ulid)).toEqual({
        record: undefined,
        reviewCase: undefined,
        audits: [],
        desk: [],
      });
    });
  });
}
