import { fitCalibration, type Line } from './fit-calibration';

interface WeightedLabels {
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
}

/** Rows that a forest had not seen, with its scores of them. */
export interface HeldOutFold extends WeightedLabels {
  readonly logOdds: Float64Array;
}

export interface TimedRows extends WeightedLabels {
  readonly screenedAtMs: Float64Array;
}

const WEEK_MS = 7 * 86_400_000;
export const USUAL_RULE = {
  /** It is taken from so many weeks: long enough for bursts to average out. */
  most_weeks: 13,
  /** A single week counts with at most so many times the fraud of the median week: it may never come again. */
  most_times_median: 5,
} as const;

/**
 * The calibration line over several folds in time, each scored by a forest that was trained on what came before it. Folds say
 * how fraud and the rest differ; how much fraud there is, all rows of the last quarter say. Fraud comes in bursts, and
 * a few held-out weeks have twice as much as usual in one training and half as much in the next.
 */
export function calibrateOverTime(folds: readonly HeldOutFold[], all: TimedRows, parent?: Line): Line {
  const labels = Uint8Array.from(folds.flatMap((fold) => [...fold.labels]));
  const weights = Float64Array.from(folds.flatMap((fold) => [...fold.weights]));
  const [wanted, found] = [usualOdds(all), oddsOf({ labels, weights })];
  const factor = wanted > 0 && found > 0 ? wanted / found : 1;
  const even = weights.map((weight, i) => (labels[i] === 1 ? factor * weight : weight));
  const logOdds = Float64Array.from(folds.flatMap((fold) => [...fold.logOdds]));
  return fitCalibration(logOdds, labels, even, parent);
}

function oddsOf({ labels, weights }: WeightedLabels): number {
  const sums = [0, 0];
  weights.forEach((weight, i) => {
    const label = labels[i] as number;
    sums[label] = (sums[label] as number) + weight;
  });
  const [honest, fraud] = sums as [number, number];
  return fraud / Math.max(1e-9, honest);
}

/** The odds of fraud over the last weeks, with no week further above the median than it may be. */
function usualOdds({ labels, weights, screenedAtMs }: TimedRows): number {
  const last = screenedAtMs.reduce((most, at) => Math.max(most, at), 0);
  const weeks = Array.from({ length: USUAL_RULE.most_weeks }, () => ({ fraud: 0, honest: 0 }));
  labels.forEach((label, i) => {
    const week = weeks[Math.floor((last - (screenedAtMs[i] as number)) / WEEK_MS)];
    if (week !== undefined) week[label === 1 ? 'fraud' : 'honest'] += weights[i] as number;
  });
  const odds = weeks.filter(({ honest }) => honest > 0).map(({ fraud, honest }) => ({ odds: fraud / honest, honest }));
  const most = USUAL_RULE.most_times_median * median(odds.map((week) => week.odds));
  const sum = (read: (week: (typeof odds)[number]) => number) => odds.reduce((total, week) => total + read(week), 0);
  // Where most weeks have no fraud at all, there is no usual week to compare with.
  const isCut = most > 0;
  return (
    sum((week) => week.honest * (isCut ? Math.min(most, week.odds) : week.odds)) /
    Math.max(
      1e-9,
      sum(({ honest }) => honest),
    )
  );
}

function median(values: readonly number[]): number {
  const rising = [...values].sort((a, b) => a - b);
  const [low, high] = [rising[(rising.length - 1) >> 1] ?? 0, rising[rising.length >> 1] ?? 0];
  return (low + high) / 2;
}
