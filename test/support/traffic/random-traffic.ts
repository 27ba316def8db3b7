import { randomDraws } from '../../../training/simulation/random-draws';

/** One line of a history, as files have it. */
export interface TrafficLine {
  readonly t: string;
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly label: 0 | 1;
  readonly split: 'train' | 'test' | 'other';
}

/** Draws of everything that traffic is made of, the same for every run of a seed. */
export function draws(seed: number) {
  const drawn = randomDraws(seed);
  const { next, normal } = drawn;
  return {
    ...drawn,
    /** An amount in whole cents around a middle, spread by a factor of e to the power of `sd`. */
    amount: (middle: number, sd: number) => Math.max(0.5, Math.round(100 * middle * Math.exp(sd * normal())) / 100),
    ip: () =>
      `${20 + Math.floor(next() * 150)}.${Math.floor(next() * 256)}.${Math.floor(next() * 256)}.${1 + Math.floor(next() * 250)}`,
  };
}

export type Draws = ReturnType<typeof draws>;

export const DAY_MS = 86_400_000;
export const START_MS = Date.parse('2025-01-06T00:00:00Z');

/** Collects lines in any order. */
export interface Timed {
  readonly at: number;
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly label: 0 | 1;
}

/** Lines in order: before `testFrom` they train, from there on they test. */
export function lined(timed: readonly Timed[], testFrom: number): TrafficLine[] {
  return [...timed]
    .sort((a, b) => a.at - b.at)
    .map(({ at, kind, body, label }) => ({
      t: new Date(Math.round(at)).toISOString(),
      kind,
      body,
      label,
      split: at < testFrom ? 'train' : 'test',
    }));
}
