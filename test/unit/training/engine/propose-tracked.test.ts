import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../../shared/domain/models/training-row';
import { packObserved } from '../../../../shared/domain/screening/attributes/observed-codec';
import { FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { hadFraudBefore, proposeTracked } from '../../../../training/engine/learn/propose-tracked';
import { rowProposals } from '../../../../training/engine/learn/row-proposals';

const HOUR_MS = 3_600_000;
const random = seededRandom(5);
const below = (count: number) => Math.floor(random() * count);

/** 2,000 attempts: a tenth of 300 lockers are used by fraudsters, half of the time. */
const attempts = Array.from({ length: 2_000 }, (_, hour) => {
  const locker = below(300);
  const label = (locker < 30 && random() < 0.5 ? 1 : 0) as 0 | 1;
  const times = { screened_at_ms: hour * HOUR_MS, labeled_at_ms: (hour + 72) * HOUR_MS };
  return {
    label,
    ...times,
    isKnown: false,
    locker,
    colour: below(5),
    order: hour,
    session: below(400),
    user: below(900),
  };
});
const column = (key: 'locker' | 'colour' | 'order' | 'session') => ({
  key,
  values: attempts.map((attempt) => attempt[key]),
});
const ALL = (['locker', 'colour', 'order', 'session'] as const).map(column);

it('proposes what has many values, comes back, and is followed by fraud', () => {
  expect(proposeTracked(attempts, ALL)).toEqual([
    { key: 'locker', values: 300, repeated: expect.closeTo(0.85, 1), lift: expect.any(Number) },
  ]);
  expect(proposeTracked(attempts, ALL)[0]?.lift).toBeGreaterThan(5);
});

it('knows only the labels that were known by then', () => {
  const late = attempts.map((attempt) => ({ ...attempt, labeled_at_ms: 9_000 * HOUR_MS }));
  expect(proposeTracked(late, ALL)).toEqual([]);
});

it('does not propose what the history of the user says already', () => {
  const known = attempts.map((attempt) => ({ ...attempt, isKnown: attempt.label === 1 }));
  expect(proposeTracked(known, ALL)).toEqual([]);
  const users = [1, 1, 2, 1];
  const labels = [1, 0, 0, 0] as const;
  const four = labels.map((label, at) => ({
    label,
    screened_at_ms: at * HOUR_MS,
    labeled_at_ms: (at + 1.5) * HOUR_MS,
  }));
  expect(hadFraudBefore(four, users)).toEqual([false, false, false, true]);
});

describe('from training rows', () => {
  const vector = packVector(new Float32Array(FEATURE_NAMES.length));
  const rowsOf = (account_id?: string): TrainingRow[] =>
    attempts.map(({ label, screened_at_ms, labeled_at_ms, locker, order }) => ({
      vector,
      observed: packObserved([
        { name: 'attributes.locker', bucket: locker, number: Number.NaN },
        { name: 'attributes.merchant_id', bucket: locker, number: Number.NaN },
        { name: 'attributes.email.domain', bucket: locker, number: Number.NaN },
        { name: 'attributes.order', bucket: order, number: Number.NaN },
        { name: 'attributes.weight', bucket: locker, number: locker },
      ]),
      label,
      screened_at_ms,
      labeled_at_ms,
      ...(account_id === undefined ? {} : { account_id }),
    }));

  it('proposes for each account, but neither numbers nor what is tracked by default', () => {
    const found = rowProposals([...rowsOf('acc_1'), ...rowsOf('acc_2').map((row) => ({ ...row, label: 0 as const }))]);
    expect(found.map(({ account_id, key }) => [account_id, key])).toEqual([['acc_1', 'locker']]);
    expect(rowProposals(rowsOf())[0]).toMatchObject({ account_id: null, key: 'locker', values: 300 });
  });
});
