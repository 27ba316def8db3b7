import { roundUpTo } from '../../../shared/charts/axis-steps';

const STEPS = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10] as const;

/** The least round number that is at least so large; even, since its half is a count on the axis too. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  return Math.round(roundUpTo(STEPS, value, (end) => Math.round(end) % 2 === 0));
}

/** Which of many columns get a label under them, so that about so many do. */
export const labelled = (count: number, about: number): ((index: number) => boolean) => {
  const every = Math.max(1, Math.ceil(count / about));
  return (index) => index % every === 0;
};
