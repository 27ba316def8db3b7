import type { FeatureName } from './features';

/**
 * How much a signal says, in natural log-odds: 0.7 doubles the odds of fraud, 2.3 means ten times, 4.6 a
 * hundred times. Graded strengths give the score its ranking: 40 accounts on a device are worse than 4.
 */
export type Strength = number | Grade | readonly (number | Grade)[];

/** Runs from one strength to another while a feature runs from one value to another; constant outside. */
export interface Grade {
  readonly feature: FeatureName;
  readonly scale: 'linear' | 'log';
  readonly from: readonly [value: number, logOdds: number];
  readonly to: readonly [value: number, logOdds: number];
}

/** Linear between the two points. */
export const graded = (feature: FeatureName, from: Grade['from'], to: Grade['to']): Grade => ({
  feature,
  scale: 'linear',
  from,
  to,
});

/** Linear in the logarithm of the feature: each doubling counts the same. Both values must be above 0. */
export const gradedByFactor = (feature: FeatureName, from: Grade['from'], to: Grade['to']): Grade => ({
  feature,
  scale: 'log',
  from,
  to,
});
