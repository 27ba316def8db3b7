import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';

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

/** Mixes numbers into one seed, so that a person is the same every time they appear. */
export const seedOf = (...parts: readonly number[]): number =>
  parts.reduce((seed, part) => Math.imul(seed ^ part, 0x9e3779b1) ^ (seed >>> 15), 0x2545f491);

/** A seed for a name: the same for a strategy or a victim, regardless of who else takes part. */
export const seedOfName = (seed: number, name: string): number =>
  [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed ^ 0x811c9dc5);

/**
 * A rank from 0 on by Zipf's law with a flattened head (Mandelbrot): a share of 1/(rank + offset). The offset limits the
 * first user to what a person can do; 1 gives the steep distribution of merchants and categories.
 */
export const zipfRank = (size: number, offset: number, random: Random): number =>
  Math.min(size - 1, Math.floor(offset * ((size + offset) / offset) ** random() - offset));
