import { seededRandom } from '../../shared/domain/models/seeded-random';

/** All random draws that a simulation needs; the same in every run with the same seed. */
export interface Draws {
  /** In [0, 1). */
  next(): number;
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  between(low: number, high: number): number;
  normal(): number;
  exponential(mean: number): number;
  /** Around a median, spread by a factor of e to the power of `spread`. */
  around(middle: number, spread: number): number;
}

/** Draws from a seed. */
export function randomDraws(seed: number): Draws {
  const next = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    below: (count) => Math.floor(next() * count),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    between: (low, high) => low + (high - low) * next(),
    normal,
    exponential: (mean) => -mean * Math.log(1 - next()),
    around: (middle, spread) => middle * Math.exp(spread * normal()),
  };
}
