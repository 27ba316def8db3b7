import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { fitCalibration, type Line } from '../../../../training/engine/learn/fit-calibration';

/** Held-out rows whose log-odds are right on average, in a week with so many times the usual fraud. */
function week(factor: number, seed: number) {
  const random = seededRandom(seed);
  const logOdds = Float64Array.from({ length: 450 }, () => -7 + 9 * random() ** 6);
  const labels = Uint8Array.from(logOdds, (x) => (random() < factor / (1 + Math.exp(-x)) ? 1 : 0));
  return { logOdds, labels, weights: new Float64Array(labels.length).fill(1) };
}

const fitted = (factor: number, seed: number, parent?: Line): Line => {
  const { logOdds, labels, weights } = week(factor, seed);
  return fitCalibration(logOdds, labels, weights, parent);
};

/** Log-odds near the review threshold, as a line maps them. */
const at = ({ slope, intercept }: Line): number => -1 * slope + intercept;

describe('a calibration', () => {
  it('finds the line where there is enough fraud to see it', () => {
    const random = seededRandom(3);
    const logOdds = Float64Array.from({ length: 60_000 }, () => -6 + 9 * random());
    const labels = Uint8Array.from(logOdds, (x) => (random() < 1 / (1 + Math.exp(-1.4 * x - 0.5)) ? 1 : 0));
    const line = fitCalibration(logOdds, labels, new Float64Array(labels.length).fill(1));
    expect(line.slope).toBeCloseTo(1.4, 1);
    expect(line.intercept).toBeCloseTo(0.5, 1);
  });

  it('does not follow weeks with half and with twice the usual fraud: a score moves by a few points', () => {
    let line: Line | undefined;
    const seen: number[] = [];
    for (let round = 0; round < 8; round++) {
      line = fitted(round % 2 === 0 ? 2 : 0.5, 100 + round, line);
      seen.push(at(line));
    }
    for (let round = 1; round < seen.length; round++) {
      // 0.7 log-odds are 9 points at most. Fitted to each week alone, the line moves by more than 2.
      expect(Math.abs((seen[round] as number) - (seen[round - 1] as number))).toBeLessThan(0.7);
    }
  });
});
