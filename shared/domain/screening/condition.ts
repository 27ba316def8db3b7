import type { FeatureName } from './features';

/**
 * When a signal fires, as data over feature names. A comparison with a missing feature is false in either
 * direction, so `not` of it is true: prefer `isFalse` to `not(isTrue(…))` if missing must not fire.
 */
export type Condition =
  | { readonly type: 'all' | 'any'; readonly conditions: readonly Condition[] }
  | { readonly type: 'not'; readonly condition: Condition }
  | { readonly type: 'between'; readonly feature: FeatureName; readonly from: number; readonly to: number };

export const all = (...conditions: readonly Condition[]): Condition => ({ type: 'all', conditions });
export const any = (...conditions: readonly Condition[]): Condition => ({ type: 'any', conditions });
export const not = (condition: Condition): Condition => ({ type: 'not', condition });

/** Both ends are included. */
export const between = (feature: FeatureName, from: number, to: number): Condition => ({
  type: 'between',
  feature,
  from,
  to,
});
export const atLeast = (feature: FeatureName, bound: number): Condition => between(feature, bound, Infinity);
export const atMost = (feature: FeatureName, bound: number): Condition => between(feature, -Infinity, bound);
export const isTrue = (feature: FeatureName): Condition => between(feature, 1, 1);
export const isFalse = (feature: FeatureName): Condition => between(feature, 0, 0);
