import { type OutcomeChange, outcomeChange, type SubjectState } from '../../../shared/domain/cases/outcome';
import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { AnswersPort } from '../memory/memory-answers';
import type { CasesPort } from '../memory/memory-cases';
import type { EntitiesPort } from '../memory/memory-entities';
import type { LabelsPort } from '../memory/memory-labels';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { ScreeningsPort } from '../memory/memory-screenings';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Everything that an outcome changes. */
export interface OutcomesWorld {
  readonly screenings: ScreeningsPort;
  readonly cases: CasesPort;
  readonly outcomes: OutcomesPort;
  readonly labels: LabelsPort;
  readonly entities: EntitiesPort;
  readonly answers: AnswersPort;
}

const MONTH = '2026-03';
/** The end of a label, which the table keeps to the second. */
const END_MS = Date.UTC(2026, 8, 1);

/** Tests that every store of outcomes and labels must pass. */
export function describeOutcomesConformance(name: string, makePort: MakePort<OutcomesWorld>): void {
  describe(`outcomes and labels in ${name}`, () => {
    let world: OutcomesWorld;
    let account: string;
    let userKey: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
      const user = entityNames(account, PUBLIC_PSEUDONYMS).user('ann');
      userKey = user.key;
      const login: Attempt = {
        attempt_id: 'evt_1',
        at_ms: START_MS,
        action: 'login',
        outcome: 'succeeded',
        user_id: 'ann',
      };
      await world.entities.recordAttempt(account, user, login, PATIENT_MS);
    });

    async function screenedSubject(decision: 'allow' | 'review' = 'review'): Promise<ScreeningRecord> {
      const record = screened(START_MS, { automated_decision: decision, entities: [userKey] });
      if (decision === 'allow') await world.screenings.insert(account, record, PATIENT_MS);
      else {
        const reviewCase = openCase(START_MS, { ulid: record.ulid });
        await world.screenings.insertWithCase(account, record, reviewCase, PATIENT_MS);
      }
      return record;
    }
    const stateOf = async (ulid: string) => (await world.outcomes.findSubject(account, ulid)) as SubjectState;
    const change = (state: SubjectState, decision: 'allow' | 'block', nowMs: number): OutcomeChange => {
      const review = { decision, analyst_id: 'ann', notes: null, reviewed_at: new Date(nowMs).toISOString() };
      return outcomeChange(state, review, { source: 'decision_review', keyId: 'key_1' }, nowMs);
    };
    const labels = () => world.labels.storedInMonth(account, MONTH);
    const userLabels = async () =>
      (await world.entities.profile(account, 'user', userKey, START_MS + 10_000))?.labels ?? {};
    const answer = { scope: 'scope', body_hash: 'hash', status: 200, body: '{}' };

    it('finds a subject with its case, and none of another account', async () => {
      const withCase = await screenedSubject('review');
      const without = await screenedSubject('allow');
      expect(await stateOf(withCase.ulid)).toMatchObject({ record: withCase, reviewCase: { ulid: withCase.ulid } });
      expect(await stateOf(without.ulid)).toEqual({ record: without, reviewCase: undefined });
      expect(await world.outcomes.findSubject(freshAccount(), withCase.ulid)).toBeUndefined();
    });

    it('changes review, case, label, counters and answer together', async () => {
      const { ulid } = await screenedSubject();
      const made = change(await stateOf(ulid), 'block', START_MS + 1_000);
      expect(await world.outcomes.save(account, made, START_MS + 1_000, answer)).toBe(true);
      expect(await stateOf(ulid)).toEqual({ record: made.record, reviewCase: made.reviewCase });
      expect(await labels()).toEqual([
        expect.objectContaining({
          subject_id: `txn_${ulid}`,
          label: 'fraud',
          source: 'decision_review',
          analyst_id: 'ann',
          labeled_at: new Date(START_MS + 1_000).toISOString(),
          screened_at_ms: START_MS,
        }),
      ]);
      expect(await userLabels()).toEqual({ fraud: 1, legitimate: 0 });
      expect(await world.answers.find(account, 'scope', START_MS + 1_000)).toEqual(answer);
    });

    it('lets one of several through that began from the same state, and nothing of the others', async () => {
      const { ulid } = await screenedSubject();
      const state = await stateOf(ulid);
      const saved = await Promise.all(
        (['block', 'allow', 'block', 'allow'] as const).map((decision, i) =>
          world.outcomes.save(account, change(state, decision, START_MS + 1 + i), START_MS + 1 + i),
        ),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
      const { record } = await stateOf(ulid);
      expect(record.review_count).toBe(1);
      expect(record.review?.reviewed_at).toBe(new Date(START_MS + 1 + saved.indexOf(true)).toISOString());
      expect(await labels()).toHaveLength(1);
      const isFraud = record.review?.decision === 'block';
      expect(await userLabels()).toEqual({ fraud: Number(isFraud), legitimate: Number(!isFraud) });
    });

    it('writes nothing when the answer is recorded already, and says so', async () => {
      const { ulid } = await screenedSubject();
      const state = await stateOf(ulid);
      await world.answers.record(account, { ...answer, body: 'first' }, START_MS);
      const saving = world.outcomes.save(account, change(state, 'block', START_MS + 1), START_MS + 1, answer);
      await expect(saving).rejects.toBeInstanceOf(ClaimTaken);
      expect(await stateOf(ulid)).toEqual(state);
      expect(await labels()).toEqual([]);
      expect(await userLabels()).toEqual({ fraud: 0, legitimate: 0 });
      expect(await world.answers.find(account, 'scope', START_MS)).toMatchObject({ body: 'first' });
    });

    it('resolves no case that expired in between, and records no answer for it', async () => {
      const { ulid } = await screenedSubject();
      const endMs = START_MS + CASE_LIFE_MS;
      const made = change(await stateOf(ulid), 'block', endMs - 1);
      expect(made.reviewCase).toBeDefined();
      expect(await world.outcomes.save(account, made, endMs, answer)).toBe(false);
      expect((await stateOf(ulid)).reviewCase).toMatchObject({ status: 'open' });
      expect(await world.answers.find(account, 'scope', endMs)).toBeUndefined();
      expect(await labels()).toEqual([]);
    });

    it('replaces a label by the next one, on the subject and in the counters', async () => {
      const { ulid } = await screenedSubject('allow');
      await world.outcomes.save(account, change(await stateOf(ulid), 'block', START_MS + 1), START_MS + 1);
      await world.outcomes.save(account, change(await stateOf(ulid), 'allow', START_MS + 2), START_MS + 2);
      expect(await labels()).toEqual([expect.objectContaining({ subject_id: `txn_${ulid}`, label: 'legitimate' })]);
      expect(await userLabels()).toEqual({ fraud: 0, legitimate: 1 });
    });

    it('saves nothing for a subject that does not exist', async () => {
      const record = screened(START_MS, { entities: [userKey] });
      const made = change({ record, reviewCase: undefined }, 'block', START_MS + 1);
      expect(await world.outcomes.save(account, made, START_MS + 1)).toBe(false);
      expect(await labels()).toEqual([]);
    });

    it('keeps a sample as presumed legitimate until a person says otherwise, in whatever order they come', async () => {
      const [before, after] = [await screenedSubject('allow'), await screenedSubject('allow')];
      await world.labels.keep(account, before, END_MS, PATIENT_MS);
      expect(await labels()).toEqual([
        expect.objectContaining({ label: 'legitimate', source: 'sample', ttl: END_MS / 1000 }),
      ]);
      for (const { ulid } of [before, after]) {
        await world.outcomes.save(account, change(await stateOf(ulid), 'block', START_MS + 1), START_MS + 1);
      }
      await world.labels.keep(account, after, END_MS, PATIENT_MS);
      const both = [before, after].map(({ ulid }) => `txn_${ulid}`).sort();
      expect((await labels()).map(({ subject_id, label, source }) => [subject_id, label, source])).toEqual(
        both.map((id) => [id, 'fraud', 'decision_review']),
      );
    });

    it('keeps labels by account and by the month of the screening', async () => {
      const record = screened(Date.UTC(2026, 1, 28, 23, 59), { observed: new Uint8Array([7]) });
      await world.labels.keep(account, record, END_MS, PATIENT_MS);
      expect(await labels()).toEqual([]);
      const [stored] = await world.labels.storedInMonth(account, '2026-02');
      expect(stored).toMatchObject({ vector: record.vector, observed: record.observed, risk_score: record.risk_score });
      expect(await world.labels.storedInMonth(freshAccount(), '2026-02')).toEqual([]);
    });
  });
}
