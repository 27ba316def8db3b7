import fc from 'fast-check';
import { moveOn, outcomeOnSubject, reviewOnSubject } from '../../../shared/domain/outcomes/kept-change';
import { type KeptSubject, keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { labelOfOutcome, OUTCOME_TYPES, type StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { screened } from '../../support/changes';

const BORN_MS = Date.UTC(2026, 2, 1);
const subject = (): KeptSubject => keptSubject(screened(BORN_MS), BORN_MS + 1e10);

const outcome = (type: StoredOutcome['type'], ulid: string, more: Partial<StoredOutcome> = {}): StoredOutcome => {
  const stated = { type, occurred_at: '2026-03-02T00:00:00Z', ...more };
  const label = labelOfOutcome(stated);
  const stored = { source: 's', key_id: 'k', recorded_at_ms: BORN_MS + 1, subject_id: null, label_in_force: null };
  return { ...stored, ...stated, ulid, label };
};

const inForce = (kept: KeptSubject) => kept.in_force && [kept.in_force.label, kept.in_force.source];
const after = (kept: KeptSubject, said: StoredOutcome, siblings: string[] = []) =>
  outcomeOnSubject(kept, said, siblings, BORN_MS + 5).after;

it('a stronger source replaces a weaker one, and never the other way round', () => {
  const reported = after(subject(), outcome('user_report', 'a'));
  const charged = after(reported, outcome('chargeback', 'b'));
  const warned = after(charged, outcome('early_fraud_warning', 'c'));
  expect([reported, charged, warned].map(inForce)).toEqual([
    ['fraud', 'user_report'],
    ['fraud', 'chargeback'],
    ['fraud', 'chargeback'],
  ]);
  const approved = reviewOnSubject(warned, { label: 'legitimate', known_at_ms: BORN_MS + 9 });
  expect(inForce(after(approved, outcome('chargeback', 'd')))).toEqual(['legitimate', 'review']);
  expect(inForce(after(reported, outcome('challenge_passed', 'e')))).toEqual(['fraud', 'user_report']);
});

it('moves counters only if the label changes, and the label keeps the time since which it counts', () => {
  const reported = outcomeOnSubject(subject(), outcome('user_report', 'a'), [], BORN_MS + 5);
  expect(reported.move).toMatchObject({ from: null, to: { label: 'fraud', known_at_ms: BORN_MS + 5 } });
  const charged = outcomeOnSubject(reported.after, outcome('chargeback', 'b'), [], BORN_MS + 9);
  expect(charged.move).toBeUndefined();
  expect(charged.after.in_force).toEqual({ label: 'fraud', source: 'chargeback', known_at_ms: BORN_MS + 5 });
  expect([charged.after.label_changes, charged.after.version]).toEqual([1, 2]);
});

it('a chargeback that is not about fraud labels nothing', () => {
  const { after: kept, move } = outcomeOnSubject(subject(), outcome('chargeback', 'a', { reason_code: '13.1' }), [], 9);
  expect([inForce(kept), move]).toEqual([null, undefined]);
  expect(kept.statements.a).toMatchObject({ type: 'chargeback', label: 'none', reason_code: '13.1' });
});

it('a won dispute withdraws what its dispute said, and nothing else', () => {
  const charged = after(after(subject(), outcome('user_report', 'r')), outcome('chargeback', 'a'));
  const won = outcomeOnSubject(charged, outcome('dispute_won', 'w'), ['a'], BORN_MS + 9);
  expect(inForce(won.after)).toEqual(['fraud', 'user_report']);
  const alone = outcomeOnSubject(after(subject(), outcome('chargeback', 'a')), outcome('dispute_won', 'w'), ['a'], 99);
  expect(alone.after.in_force).toBeNull();
  expect(alone.move).toMatchObject({ from: { label: 'fraud' }, to: null, at_ms: 99 });
  const approved = reviewOnSubject(charged, { label: 'legitimate', known_at_ms: 1 });
  expect(inForce(after(approved, outcome('dispute_won', 'w'), ['a']))).toEqual(['legitimate', 'review']);
});

it('the label does not depend on the order in which outcomes arrive', () => {
  // Two disputes with everything that each of them may say.
  const all = ['x', 'y'].flatMap((source) =>
    OUTCOME_TYPES.map((type) => outcome(type, `${source}-${type}`, { source })),
  );
  const play = (order: readonly StoredOutcome[]): KeptSubject =>
    order.reduce((kept, said) => {
      const siblings = all.filter((each) => each.source === said.source && each !== said).map(({ ulid }) => ulid);
      return after(kept, said, siblings);
    }, subject());
  fc.assert(
    fc.property(fc.subarray(all), fc.func(fc.integer()), (some, weight) => {
      const shuffled = [...some].sort((a, b) => weight(a.ulid) - weight(b.ulid));
      expect(play(shuffled).in_force?.label).toBe(play(some).in_force?.label);
    }),
    { numRuns: 200 },
  );
});

it('whoever passes a challenge vouches for the user, and for no device or card', () => {
  const passed = outcomeOnSubject(subject(), outcome('challenge_passed', 'a'), [], 9);
  const move = passed.move;
  if (!move) throw new Error('nothing moved');
  expect(moveOn(move, 'user#1')).toMatchObject({ label: { label: 'legitimate' }, previousLabel: undefined });
  expect(moveOn(move, 'device#1')).toBeUndefined();
  const charged = outcomeOnSubject(passed.after, outcome('chargeback', 'b'), [], 10).move;
  if (!charged) throw new Error('nothing moved');
  expect(moveOn(charged, 'user#1')).toMatchObject({
    label: { label: 'fraud' },
    previousLabel: { label: 'legitimate' },
  });
  expect(moveOn(charged, 'device#1')).toMatchObject({ label: { label: 'fraud' }, previousLabel: undefined });
});
