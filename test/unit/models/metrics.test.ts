import fc from 'fast-check';
import { calibrationTable, logLoss } from '../../../shared/domain/models/evaluation/calibration';
import { auc, averagePrecision, rankingCurve, recallAt } from '../../../shared/domain/models/evaluation/ranking-curve';

/** Scores on a coarse grid, so that ties are the rule, and both classes present. */
const scored = fc
  .array(fc.record({ score: fc.integer({ min: -4, max: 4 }).map((n) => n / 4), label: fc.constantFrom(0, 1) }), {
    minLength: 2,
    maxLength: 40,
  })
  .filter((rows) => new Set(rows.map(({ label }) => label)).size === 2)
  .map((rows) => ({
    scores: rows.map(({ score }) => score),
    labels: Uint8Array.from(rows, ({ label }) => label),
  }));

const at = (labels: Uint8Array, label: number, scores: readonly number[]) =>
  scores.filter((_, i) => labels[i] === label);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('metrics agree with their definitions, counted out', () => {
  it('auc: every pair of a positive and a negative', () => {
    fc.assert(
      fc.property(scored, ({ scores, labels }) => {
        const pairs = at(labels, 1, scores).flatMap((one) =>
          at(labels, 0, scores).map((zero) => (one > zero ? 1 : one === zero ? 0.5 : 0)),
        );
        expect(auc(scores, labels)).toBeCloseTo(mean(pairs), 12);
      }),
    );
  });

  it('average precision: the precision at each positive, its ties included', () => {
    fc.assert(
      fc.property(scored, ({ scores, labels }) => {
        const precisions = at(labels, 1, scores).map((one) =>
          mean(scores.flatMap((score, i) => (score >= one ? [labels[i] as number] : []))),
        );
        expect(averagePrecision(rankingCurve({ scores, labels }))).toBeCloseTo(mean(precisions), 12);
      }),
    );
  });

  it('recall at a false positive rate: every threshold tried', () => {
    fc.assert(
      fc.property(scored, fc.constantFrom(0, 0.01, 0.1, 0.5, 1), ({ scores, labels }, rate) => {
        const recalls = scores.map((threshold) => {
          const above = (label: number) => mean(at(labels, label, scores).map((score) => (score >= threshold ? 1 : 0)));
          return above(0) <= rate ? above(1) : 0;
        });
        expect(recallAt(rankingCurve({ scores, labels }), rate)).toBeCloseTo(Math.max(0, ...recalls), 12);
      }),
    );
  });

  it('log loss', () => {
    expect(logLoss([0.9, 0.2], Uint8Array.of(1, 0))).toBeCloseTo(-(Math.log(0.9) + Math.log(0.8)) / 2, 12);
    expect(logLoss([0], Uint8Array.of(1))).toBeCloseTo(34.538776394910684, 9);
  });

  it('calibration: counts and rates by band, the last one closed', () => {
    const labels = Uint8Array.of(0, 1, 0, 1, 1);
    const rows = { scores: [0, 5, 10, 100, 200], probabilities: [0.25, 0.75, 0.125, 1, 1], labels };
    expect(calibrationTable(rows, [0, 10, 50, 60, 100])).toEqual([
      { from: 0, to: 10, rows: 2, fraud: 1, predicted: 0.5, observed: 0.5 },
      { from: 10, to: 50, rows: 1, fraud: 0, predicted: 0.125, observed: 0 },
      { from: 50, to: 60, rows: 0, fraud: 0, predicted: null, observed: null },
      { from: 60, to: 100, rows: 1, fraud: 1, predicted: 1, observed: 1 },
    ]);
  });
});

describe('metrics at the edges', () => {
  it('are NaN where one class is absent', () => {
    expect(auc([1, 2], Uint8Array.of(1, 1))).toBeNaN();
    expect(averagePrecision(rankingCurve({ scores: [1, 2], labels: Uint8Array.of(0, 0) }))).toBeNaN();
    expect(recallAt(rankingCurve({ scores: [1, 2], labels: Uint8Array.of(0, 0) }), 0.1)).toBeNaN();
  });

  it('take −0 and 0, and infinities, as what they are', () => {
    expect(auc([-0, 0], Uint8Array.of(1, 0))).toBe(0.5);
    expect(auc([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0], Uint8Array.of(1, 0, 0))).toBe(1);
    expect(auc([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY], Uint8Array.of(1, 0))).toBe(0.5);
  });

  it('refuse NaN and arrays of two lengths', () => {
    expect(() => auc([Number.NaN, 1], Uint8Array.of(1, 0))).toThrow('score 0 is not a number');
    expect(() => auc([1], Uint8Array.of(1, 0))).toThrow('1 scores for 2 labels');
  });
});
