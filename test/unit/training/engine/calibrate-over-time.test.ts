import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import {
  calibrateOverTime,
  type HeldOutFold,
  type TimedRows,
} from '../../../../training/engine/learn/calibrate-over-time';
import { fitCalibration, type Line } from '../../../../training/engine/learn/fit-calibration';

const WEEK_MS = 7 * 86_400_000;
const chance = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

type Fold = HeldOutFold & TimedRows;

/** Weeks of rows whose log-odds are right in a usual week; `factors` multiply the odds of fraud week by week. */
function fold(firstWeek: number, factors: readonly number[], seed: number): Fold {
  const random = seededRandom(seed);
  const rows = factors.flatMap((factor, week) =>
    Array.from({ length: 900 }, () => {
      const logOdds = -8 + 9 * random();
      return {
        logOdds,
        label: Number(random() < chance(logOdds + Math.log(factor))),
        at: (firstWeek + week + random()) * WEEK_MS,
      };
    }),
  );
  const logOdds = Float64Array.from(rows, (row) => row.logOdds);
  return {
    ...{ logOdds, weights: new Float64Array(rows.length).fill(1) },
    labels: Uint8Array.from(rows, ({ label }) => label),
    screenedAtMs: Float64Array.from(rows, ({ at }) => at),
  };
}

const together = (folds: readonly Fold[]): TimedRows => ({
  labels: Uint8Array.from(folds.flatMap(({ labels }) => [...labels])),
  weights: Float64Array.from(folds.flatMap(({ weights }) => [...weights])),
  screenedAtMs: Float64Array.from(folds.flatMap(({ screenedAtMs }) => [...screenedAtMs])),
});

/** Expected to actual fraud of rows, by a line. */
function ratio({ slope, intercept }: Line, { logOdds, labels }: HeldOutFold): number {
  const expected = logOdds.reduce((sum, x) => sum + chance(slope * x + intercept), 0);
  return expected / labels.reduce((sum, label) => sum + label, 0);
}

const USUAL = [1, 1, 1, 1];
const later = fold(20, [...USUAL, ...USUAL, ...USUAL], 77);

it('does not take a burst in the newest weeks for what is usual', () => {
  const all = [fold(0, USUAL, 1), fold(4, USUAL, 2), fold(8, [8], 3)];
  const newest = all.slice(-1);
  expect(ratio(calibrateOverTime(newest, together(all)), later)).toBeLessThan(1.7);
  expect(ratio(calibrateOverTime(all, together(all)), later)).toBeLessThan(1.7);
  // A line through the newest weeks alone, as it used to be, expects far more.
  const [burst] = newest as [Fold];
  expect(ratio(fitCalibration(burst.logOdds, burst.labels, burst.weights), later)).toBeGreaterThan(2);
});

it('does not forget that there are bursts where the newest weeks have none', () => {
  const all = [fold(0, [1, 6, 1, 1], 4), fold(4, [1, 6, 1, 1], 5), fold(8, [1, 1], 6)];
  const line = calibrateOverTime(all.slice(-1), together(all));
  const next = ratio(line, fold(30, [1, 1, 6, 1, 1, 1, 6, 1, 1, 1], 7));
  expect(next).toBeGreaterThan(0.8);
  expect(next).toBeLessThan(1.25);
});

it('finds the line where nothing is unusual, whatever the folds', () => {
  for (const folds of [[fold(0, USUAL, 8)], [fold(0, USUAL, 9), fold(4, USUAL, 10)]]) {
    expect(Math.abs(ratio(calibrateOverTime(folds, together(folds)), later) - 1)).toBeLessThan(0.15);
  }
});

it('follows fraud that stays', () => {
  const risen = [fold(0, [4, 4, 4, 4], 11), fold(4, [4, 4, 4, 4], 12)];
  const next = ratio(calibrateOverTime(risen, together(risen)), fold(8, [4, 4, 4, 4], 13));
  expect(Math.abs(next - 1)).toBeLessThan(0.15);
});
