import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../../shared/domain/models/training-row';
import { FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { crossValidate } from '../../../../training/engine/learn/cross-validate';

const SLOT = FEATURE_NAMES.indexOf('amount_ln_usd');
const options = { nowMs: Date.UTC(2026, 0, 1), source: 'import' } as const;

/** Rows in which large amounts are fraud, from a share of the rows on; before, and for `isNoise`, it is chance. */
function rowsOf(frauds: number, count: number, isNoise = false): TrainingRow[] {
  const random = seededRandom(frauds);
  return Array.from({ length: count }, (_, at) => {
    const label = (at % Math.floor(count / frauds) === 0 && at / Math.floor(count / frauds) < frauds ? 1 : 0) as 0 | 1;
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[SLOT] = (label === 1 && !isNoise ? 3 : 0) + random();
    const screened_at_ms = at * 60_000;
    return { vector: packVector(vector), label, screened_at_ms, labeled_at_ms: screened_at_ms + 1 };
  });
}

it('measures every row but the oldest, by models that knew only earlier ones', () => {
  const measured = crossValidate(rowsOf(60, 600).reverse(), options);
  expect(measured).toMatchObject({ folds: 4, rows: 489, fraud: 48 });
  expect(measured?.auc).toBeGreaterThan(0.97);
});

it('does not find what is not there', () => {
  expect(crossValidate(rowsOf(60, 600, true), options)?.auc).toBeLessThan(0.65);
});

it('measures with ten frauds, and says nothing with fewer', () => {
  expect(crossValidate(rowsOf(10, 300), options)).toMatchObject({ folds: 1, fraud: 5 });
  expect(crossValidate(rowsOf(9, 300), options)).toBeUndefined();
  expect(crossValidate(rowsOf(20, 20), options)).toBeUndefined();
});
