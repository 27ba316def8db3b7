import { roundUpTo } from '../../../shared/charts/axes';
import type { Contribution } from '../api/types';

const STEPS = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10] as const;

/** The smallest round number that is at least this large; even, since its half is a count on the axis too. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  return Math.round(roundUpTo(STEPS, value, (end) => Math.round(end) % 2 === 0));
}

/** Which columns get a label, so that about this many do. */
export const labelled = (count: number, about: number): ((index: number) => boolean) => {
  const every = Math.max(1, Math.ceil(count / about));
  return (index) => index % every === 0;
};

export interface Step {
  readonly kind: 'base' | 'up' | 'down' | 'total';
  readonly label: string;
  readonly detail: string;
  readonly points: number;
  readonly from: number;
  readonly to: number;
}

/** From the base to the score: what raises it first, largest first, then what lowers it. The last step is the sum. */
export function waterfallSteps(base: number, contributions: readonly Contribution[]): readonly Step[] {
  const ordered = [...contributions].sort(
    (a, b) => Number(b.points > 0) - Number(a.points > 0) || Math.abs(b.points) - Math.abs(a.points),
  );
  const steps: Step[] = [
    { kind: 'base', label: 'Base', detail: 'Starting point of every score', points: base, from: 0, to: base },
  ];
  let sum = base;
  for (const { signal, points, detail } of ordered) {
    steps.push({ kind: points < 0 ? 'down' : 'up', label: signal, detail, points, from: sum, to: sum + points });
    sum += points;
  }
  steps.push({ kind: 'total', label: 'Score', detail: '', points: sum, from: 0, to: sum });
  return steps;
}

/** Bars may run past 100 before something lowers the sum: the scale holds them all. */
export const waterfallScale = (steps: readonly Step[]): number => Math.max(100, ...steps.map(({ to }) => to));
