import { outcomeChange, type SubjectState } from '../../../shared/domain/cases/outcome';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import { type KeptChange, outcomeOnSubject } from '../../../shared/domain/outcomes/kept-change';
import { type KeptSubject, keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { HELD_MS, type StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { TALLY_STEP_MS } from '../../../shared/domain/outcomes/shared-rise';
import { ReferencesTaken, type ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { OUTCOME_DUE_SHARDS } from '../../../shared/store/keys';
import type { OutsidePort } from '../memory/memory-outside-outcomes';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';
import type { OutcomesWorld } from './outcomes';

type World = OutcomesWorld & { readonly outsideOutcomes: OutsidePort };

const MONTH = '2026-03';
const END_MS = START_MS + 180 * 86_400_000;

/** Tests that every store of references and outcomes from outside must pass. */
export function describeOutsideOutcomesConformance(name: string, makePort: MakePort<World>): void {
  describe(`references and outcomes from outside in ${name}`, () => {
    let world: World;
    let account: string;
    let userKey: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
      userKey = entityNames(account, PUBLIC_PSEUDONYMS).user('ann').key;
    });

    async function payment(change: Partial<ScreeningRecord> = {}): Promise<ScreeningRecord> {
      const record = screened(START_MS, { entities: [userKey], ...change });
      await world.screenings.insert(account, record, PATIENT_MS);
      return record;
    }
    const outcome = (change: Partial<StoredOutcome> = {}): StoredOutcome => ({
      ...{ ulid: newUlid(START_MS), source: 'src', key_id: 'key_1', type: 'chargeback', label: 'fraud' },
      ...{ amount: 12.5, currency: 'EUR', occurred_at: '2026-03-02T00:00:00Z', recorded_at_ms: START_MS + 1 },
      ...{ subject_id: 'txn_1', label_in_force: 'fraud', ...change },
    });
    const keptOf = async (ulid: string) => (await world.outsideOutcomes.kept(account, ulid)) as KeptSubject;
    const change = (kept: KeptSubject, said: StoredOutcome, siblings: string[] = []): KeptChange =>
      outcomeOnSubject(kept, said, siblings, START_MS + 5);
    const apply = (said: StoredOutcome, made: KeptChange) =>
      world.outsideOutcomes.apply(account, said, made, { nowMs: START_MS + 5 });
    const labels = async () =>
      (await world.labels.storedInMonth(account, MONTH)).map(({ label, source }) => `${label} by ${source}`);
    const counted = async () => (await world.entities.profile(account, 'user', userKey, START_MS + 10_000))?.labels;
    const due = async (nowMs: number) => {
      const shards = Array.from({ length: OUTCOME_DUE_SHARDS }, (_, shard) => shard);
      const found = await Promise.all(shards.map((shard) => world.outsideOutcomes.due(shard, nowMs, 1_000)));
      return found.flat().filter(({ account_id }) => account_id === account);
    };

    it('counts a decline on everything that took part, its network included, and moves what the payment had earned', async () => {
      const networkKey = entityNames(account, PUBLIC_PSEUDONYMS).exact('network', '91.0.0.0/24').key;
      const earned = { automated_decision: 'allow', earning: 'mAB *', network: networkKey } as const;
      const { ulid } = await payment({ references: ['r1'], kept_until_ms: END_MS, ...earned });
      const declinesOf = async (kind: 'user' | 'network', key: string) =>
        (await world.entities.profile(account, kind, key, START_MS + 10_000))?.declines?.['24h'];
      const said = outcome({ type: 'declined', label: 'none', decline_reason: 'incorrect_cvc', label_in_force: null });
      const declined = change(await keptOf(ulid), said);
      expect(await apply(said, declined)).toBe(true);
      // Once: the same again is refused.
      expect(await apply(said, declined)).toBe(false);
      expect([await declinesOf('user', userKey), await declinesOf('network', networkKey)]).toEqual([1, 1]);
      expect((await keptOf(ulid)).screening).toMatchObject({ unearned: true, network: networkKey });
      const authorized = outcome({
        type: 'authorized',
        label: 'none',
        label_in_force: null,
        recorded_at_ms: START_MS + 2,
      });
      expect(await apply(authorized, change(await keptOf(ulid), authorized))).toBe(true);
      expect((await keptOf(ulid)).screening.unearned).toBeUndefined();
      expect((await world.entities.profile(account, 'user', userKey, START_MS + 10_000))?.earned.cards).toBe(1);
    });

    it('tallies what processors say, by steps', async () => {
      const word = { is_declined: true, is_known: false };
      await Promise.all([1, 2, 3].map(() => world.outsideOutcomes.addToTally(account, word, START_MS)));
      await world.outsideOutcomes.addToTally(account, { is_declined: false, is_known: true }, START_MS);
      const tally = await world.outsideOutcomes.tally(account, START_MS + TALLY_STEP_MS);
      expect(tally.get(Math.floor(START_MS / TALLY_STEP_MS))).toEqual({
        known: { all: 1, declined: 0 },
        others: { all: 3, declined: 3 },
      });
    });

    it('keeps a screening with references, and only what names nobody', async () => {
      const record = await payment({ references: ['r1', 'r2'], kept_until_ms: END_MS, observed: new Uint8Array([7]) });
      const kept = await keptOf(record.ulid);
      expect(kept).toEqual(keptSubject(record, END_MS));
      expect(JSON.stringify(kept)).not.toContain(record.user_id);
      for (const name of ['r1', 'r2']) {
        const found = await world.outsideOutcomes.reference(account, name, START_MS);
        expect(found).toEqual({ ulid: record.ulid, at_ms: START_MS, held: [] });
      }
      expect(await world.outsideOutcomes.reference(freshAccount(), 'r1', START_MS)).toBeUndefined();
      expect((await world.outsideOutcomes.reference(account, 'r1', END_MS))?.ulid).toBeUndefined();
      expect(await due(END_MS)).toEqual([]);
    });

    it('keeps an older screening on demand, with its review, once', async () => {
      const record = await payment();
      const fresh = keptSubject(record, END_MS);
      expect(await world.outsideOutcomes.keep(account, { ...fresh, label_changes: 1 })).toBe(false);
      const kept = [1, 2, 3].map(() => world.outsideOutcomes.keep(account, fresh));
      expect((await Promise.all(kept)).filter(Boolean)).toHaveLength(1);
      expect(await keptOf(record.ulid)).toEqual(fresh);
      expect((await world.screenings.find(account, record.ulid, PATIENT_MS))?.kept_until_ms).toBe(END_MS);
    });

    it('keeps an older screening with its first outcome, unless it was reviewed or kept in the meantime', async () => {
      const record = await payment();
      const unsaved = { ...keptSubject(record, END_MS), version: -1 };
      const said = ['a', 'b', 'c'].map((source) => outcome({ source }));
      const [first] = said as [StoredOutcome];
      expect(await apply(first, change({ ...unsaved, label_changes: 1 }, first))).toBe(false);
      const applied = await Promise.all(said.map((each) => apply(each, change(unsaved, each))));
      expect(applied.filter(Boolean)).toHaveLength(1);
      expect(await keptOf(record.ulid)).toMatchObject({ version: 0, in_force: { label: 'fraud' } });
      expect((await world.screenings.find(account, record.ulid, PATIENT_MS))?.kept_until_ms).toBe(END_MS);
      expect(await counted()).toEqual({ fraud: 1, legitimate: 0 });
    });

    it('applies an outcome with its label and counters, and shows it by its source', async () => {
      const { ulid } = await payment({ references: ['r'], kept_until_ms: END_MS });
      const said = outcome();
      const made = change(await keptOf(ulid), said);
      expect(await apply(said, made)).toBe(true);
      expect(await keptOf(ulid)).toEqual(made.after);
      expect(await world.outsideOutcomes.ofSource(account, 'src')).toEqual([said]);
      expect([await labels(), await counted()]).toEqual([['fraud by chargeback'], { fraud: 1, legitimate: 0 }]);
    });

    it('applies one of several that began from the same state, and one per source and type', async () => {
      const { ulid } = await payment({ references: ['r'], kept_until_ms: END_MS });
      const kept = await keptOf(ulid);
      const all = ['a', 'b', 'c', 'd'].map((source) => outcome({ source }));
      const applied = await Promise.all(all.map((said) => apply(said, change(kept, said))));
      expect(applied.filter(Boolean)).toHaveLength(1);
      const winner = all[applied.indexOf(true)] as StoredOutcome;
      const again = { ...winner, ulid: newUlid(START_MS) };
      expect(await apply(again, change(await keptOf(ulid), again))).toBe(false);
      expect(await counted()).toEqual({ fraud: 1, legitimate: 0 });
    });

    it('refuses one that claims to be new if it is stored, applied or waiting', async () => {
      const { ulid } = await payment({ references: ['r'], kept_until_ms: END_MS });
      const applyNew = async (said: StoredOutcome) =>
        world.outsideOutcomes.apply(account, said, change(await keptOf(ulid), said), { nowMs: START_MS, isNew: true });
      const said = outcome();
      expect(await applyNew(said)).toBe(true);
      expect(await applyNew({ ...said, ulid: newUlid(START_MS) })).toBe(false);
      const waits = outcome({ source: 'other', subject_id: null, held_until_ms: START_MS + HELD_MS });
      expect(await world.outsideOutcomes.hold(account, waits, ['r2'], { nowMs: START_MS })).toBe(true);
      const { held_until_ms: _, ...waited } = waits;
      expect(await applyNew(waited)).toBe(false);
      expect(await apply(waited, change(await keptOf(ulid), waited))).toBe(true);
      expect(await counted()).toEqual({ fraud: 1, legitimate: 0 });
    });

    it('withdraws what a won dispute said, on the entities and for training', async () => {
      const { ulid } = await payment({ references: ['r'], kept_until_ms: END_MS });
      const said = outcome();
      await apply(said, change(await keptOf(ulid), said));
      const won = outcome({ type: 'dispute_won', label: 'none', label_in_force: null });
      expect(await apply(won, change(await keptOf(ulid), won, [said.ulid]))).toBe(true);
      expect([await labels(), await counted()]).toEqual([[], { fraud: 0, legitimate: 0 }]);
      expect(await world.outsideOutcomes.ofSource(account, 'src')).toHaveLength(2);
    });

    it('lets neither a review nor an outcome overlook the other', async () => {
      const { ulid } = await payment();
      const state = (await world.outcomes.findSubject(account, ulid)) as SubjectState;
      const review = {
        decision: 'allow',
        analyst_id: null,
        notes: null,
        reviewed_at: '2026-03-01T10:00:02.000Z',
      } as const;
      const origin = { source: 'decision_review', keyId: 'key_1' } as const;
      const reviewed = outcomeChange(state, review, origin, START_MS + 2_000);
      await world.outsideOutcomes.keep(account, keptSubject(state.record, END_MS));
      // Made from what was read before the subject was kept.
      expect(await world.outcomes.save(account, reviewed, START_MS + 2_000)).toBe(false);
      const kept = await keptOf(ulid);
      const said = outcome();
      const made = change(kept, said);
      const again = (await world.outcomes.findSubject(account, ulid)) as SubjectState;
      expect(again.kept).toEqual(kept);
      const second = outcomeChange(again, review, origin, START_MS + 2_000);
      expect(await apply(said, made)).toBe(true);
      expect(await world.outcomes.save(account, second, START_MS + 2_000)).toBe(false);
      const third = outcomeChange((await world.outcomes.findSubject(account, ulid)) as SubjectState, review, origin, 9);
      expect(await world.outcomes.save(account, third, START_MS + 2_000)).toBe(true);
      expect([await labels(), await counted()]).toEqual([
        ['legitimate by decision_review'],
        { fraud: 0, legitimate: 1 },
      ]);
      expect((await keptOf(ulid)).in_force).toMatchObject({ label: 'legitimate', source: 'review' });
    });

    it('holds an outcome for references until one of them has a subject', async () => {
      const held = outcome({ subject_id: null, label_in_force: null, held_until_ms: START_MS + HELD_MS });
      const hold = (names: string[]) => world.outsideOutcomes.hold(account, held, names, { nowMs: START_MS });
      expect(await hold(['r1', 'r2'])).toBe(true);
      expect(await hold(['r1', 'r2'])).toBe(false);
      const waiting = { type: 'chargeback', source: 'src' };
      expect(await world.outsideOutcomes.reference(account, 'r1', START_MS)).toMatchObject({ held: [waiting] });
      expect(await due(START_MS + HELD_MS - 1)).toEqual([]);
      expect(await due(START_MS + HELD_MS)).toHaveLength(2);

      const record = await payment({ references: ['r2'], kept_until_ms: END_MS });
      expect(await due(START_MS)).toEqual([{ account_id: account, name: 'r2' }]);
      expect(await world.outsideOutcomes.reference(account, 'r2', START_MS)).toEqual({
        ...{ ulid: record.ulid, at_ms: START_MS, held: [waiting] },
      });
      const other = outcome({ ...held, source: 'other' });
      const late = world.outsideOutcomes.hold(account, other, ['r2'], { nowMs: START_MS });
      expect(await late).toBe(false);
      const { held_until_ms: _, ...applied } = held;
      expect(await apply(applied, change(await keptOf(record.ulid), applied))).toBe(true);
      await world.outsideOutcomes.release(account, 'r2', START_MS);
      expect(await due(START_MS)).toEqual([]);
      expect(await world.outsideOutcomes.reference(account, 'r2', START_MS)).toMatchObject({ held: [] });
      // Something still waits for the other one.
      await world.outsideOutcomes.release(account, 'r1', START_MS);
      expect(await due(START_MS + HELD_MS)).toEqual([{ account_id: account, name: 'r1' }]);
    });

    it('leaves a reference with its first user, who may name it again', async () => {
      const of = (entities: string[], ...references: string[]) =>
        screened(START_MS + 1, { entities, references, kept_until_ms: END_MS });
      const ownerOf = async (name: string) => (await world.outsideOutcomes.reference(account, name, START_MS))?.ulid;
      const first = await payment({ references: ['r1', 'r2'], kept_until_ms: END_MS });
      const strangers = of([`${userKey}x`], 'r0', 'r2', 'r1');
      const refused = world.screenings.insert(account, strangers, PATIENT_MS);
      await expect(refused).rejects.toMatchObject({ names: ['r2', 'r1'] });
      const opened = openCase(START_MS, { ulid: strangers.ulid });
      const withCase = world.screenings.insertWithCase(account, strangers, opened, PATIENT_MS);
      await expect(withCase).rejects.toBeInstanceOf(ReferencesTaken);
      // Without any entity, nobody's.
      await expect(world.screenings.insert(account, of([], 'r1'), PATIENT_MS)).rejects.toMatchObject({ names: ['r1'] });
      expect(await world.screenings.find(account, strangers.ulid, PATIENT_MS)).toBeUndefined();
      expect(await ownerOf('r0')).toBeUndefined();

      const other = await payment({ entities: [`${userKey}x`] });
      const kept = keptSubject(other, END_MS);
      await world.outsideOutcomes.keep(account, kept);
      const link = (...names: string[]) => world.outsideOutcomes.link(account, names, kept, { nowMs: START_MS });
      expect([await link('r3', 'r1'), await link('r3'), await link()]).toEqual([['r1'], [], []]);
      expect([await ownerOf('r1'), await ownerOf('r3')]).toEqual([first.ulid, other.ulid]);

      const again = of([userKey], 'r1');
      await world.screenings.insert(account, again, PATIENT_MS);
      expect([await ownerOf('r1'), await ownerOf('r2')]).toEqual([again.ulid, first.ulid]);
      const later = screened(END_MS, { entities: ['user#z'], references: ['r2'], kept_until_ms: END_MS + 1 });
      await world.screenings.insert(account, later, PATIENT_MS);
      expect(await ownerOf('r2')).toBe(later.ulid);
    });

    it('links references with the recorded answer, or neither', async () => {
      const record = await payment();
      const kept = keptSubject(record, END_MS);
      await world.outsideOutcomes.keep(account, kept);
      const answer = { scope: 'scope', body_hash: 'hash', status: 200, body: '{}' };
      await world.outsideOutcomes.link(account, ['r1'], kept, { nowMs: START_MS, answer });
      expect(await world.answers.find(account, 'scope', START_MS)).toEqual(answer);
      const again = world.outsideOutcomes.link(account, ['r2'], kept, { nowMs: START_MS, answer });
      await expect(again).rejects.toBeInstanceOf(ClaimTaken);
      expect(await world.outsideOutcomes.reference(account, 'r2', START_MS)).toBeUndefined();
    });
  });
}
