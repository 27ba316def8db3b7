import { decideLabels, holdLabels, reviewsIn } from '../../../shared/domain/models/label-reviews';
import { EMPTY_REGISTRY } from '../../../shared/domain/models/registry-state';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import type { LabelledRow } from '../../../shared/usecases/models/labelled-rows';
import { newDepartures, statisticsOf, teachingRows, withHeld } from '../../../shared/usecases/models/teaching-rows';

const vector = packVector(new Float32Array(FEATURE_NAMES.length).fill(Number.NaN));
const NOBODY = { champion: undefined, base: undefined };
const cause = { at: '2026-03-01T00:00:00.000Z', by: 'train-model', reason: 'departs from the rest' };

/** Labels of an analyst, one in ten of them fraud, or the other way round; all have the same score. */
function given(analyst: string, count: number, isTurned = false, account = 0): LabelledRow[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ subject_id: `txn_${analyst}_${i}`, account, account_id: `acc_${account}`, vector },
    ...{ actors: [`analyst:${analyst}`], label: (i % 10 === 0) === isTurned ? 0 : 1 },
    ...{ screened_at_ms: i, labeled_at_ms: i },
  }));
}

it('finds who departs, and holds what they labelled; everything else teaches', () => {
  const rows = [...given('ann', 300), ...given('bob', 300), ...given('eve', 80, true)];
  const found = newDepartures(rows, NOBODY, EMPTY_REGISTRY);
  expect(found).toMatchObject([{ whose: 'acc_0/analyst:eve', labels: 80, from: null }]);
  const state = withHeld(EMPTY_REGISTRY, found, cause);
  const { rows: teaching, held } = teachingRows(rows, state);
  expect(teaching).toHaveLength(600);
  expect(held).toMatchObject([{ whose: 'acc_0/analyst:eve', status: 'held', labels: 80 }]);
  expect(newDepartures(rows, NOBODY, state)).toEqual([]);
  const [first] = reviewsIn(state);
  const accepted = decideLabels(state, first?.whose ?? '', 'accepted', cause);
  expect(teachingRows(rows, accepted).rows).toHaveLength(680);
  expect(newDepartures(rows, NOBODY, accepted)).toEqual([]);
});

it('shows how each of them labels, beside the others and the model', () => {
  const rows = [...given('ann', 300), ...given('eve', 80, true)];
  const [ann, eve] = statisticsOf(rows, NOBODY, EMPTY_REGISTRY);
  expect(ann).toMatchObject({ whose: 'acc_0/analyst:ann', labels: 300, fraud: 30 });
  expect(eve).toMatchObject({ whose: 'acc_0/analyst:eve', labels: 80, fraud: 72 });
  expect(eve?.departs_from_others).toBeCloseTo(0.8);
});

it('leaves out accounts with too few labels, and keeps their rows to see what becomes of them', () => {
  const rows = [...given('ann', 300), ...given('zoe', 30, false, 1)];
  const { rows: teaching, others } = teachingRows(rows, EMPTY_REGISTRY);
  expect(new Set(teaching.map(({ account_id }) => account_id))).toEqual(new Set(['acc_0']));
  expect(others).toHaveLength(330);
});

it('does not hold the sample of an account whose labels are held: nobody gave it', () => {
  const sampled = given('ann', 100).map(({ actors: _, ...row }) => ({ ...row, presumed: true, label: 0 as const }));
  const state = holdLabels(EMPTY_REGISTRY, { whose: 'acc_0', from: null, labels: 1, found: 'moves others' }, cause);
  const { others, held } = teachingRows([...sampled, ...given('ann', 50)], state);
  expect(others).toHaveLength(100);
  expect(held).toMatchObject([{ whose: 'acc_0', labels: 50 }]);
});
