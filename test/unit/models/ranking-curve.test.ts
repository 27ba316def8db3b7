import fc from 'fast-check';
import {
  areaUnderRoc,
  averagePrecision,
  precisionRecallPoints,
  rankingCurve,
  recallAt,
  rocPoints,
} from '../../../shared/domain/models/evaluation/ranking-curve';

const row = fc.record({
  score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -5, max: 5, noNaN: true })),
  label: fc.integer({ min: 0, max: 1 }),
  weight: fc.integer({ min: 0, max: 5 }),
});
const rows = fc
  .array(row, { minLength: 2, maxLength: 60 })
  .filter((all) => [0, 1].every((kind) => all.some(({ label, weight }) => label === kind && weight > 0)));

it('counts a row of weight n as n rows', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const curve = rankingCurve({
        scores: all.map(({ score }) => score),
        labels: Uint8Array.from(all, ({ label }) => label),
        weights: Float64Array.from(all, ({ weight }) => weight),
      });
      const repeated = all.flatMap((one) => Array.from({ length: one.weight }, () => one));
      const scores = repeated.map(({ score }) => score);
      const labels = Uint8Array.from(repeated, ({ label }) => label);
      const plain = rankingCurve({ scores, labels });
      expect(areaUnderRoc(curve)).toBeCloseTo(areaUnderRoc(plain), 10);
      expect(averagePrecision(curve)).toBeCloseTo(averagePrecision(plain), 10);
      for (const rate of [0, 0.01, 0.3, 1]) {
        expect(recallAt(curve, rate)).toBeCloseTo(recallAt(plain, rate), 10);
      }
    }),
  );
});

it('draws curves from corner to corner, with no more points than a figure shows', () => {
  const labels = Uint8Array.from({ length: 20_000 }, (_, i) => Number(i % 7 === 0));
  const scores = Float64Array.from(labels, (label, i) => label + Math.sin(i * 12.9898));
  const curve = rankingCurve({ scores, labels, weights: new Float64Array(labels.length).fill(1) });
  const roc = rocPoints(curve);
  expect([roc[0], roc.at(-1)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(roc.length).toBeLessThan(600);
  expect(precisionRecallPoints(curve).length).toBeLessThan(600);
  expect(precisionRecallPoints(curve).at(-1)?.[0]).toBe(1);
});
