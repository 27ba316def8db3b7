import type { FeatureName } from './features';
import type { ScreeningFacts } from './screening-facts';

/**
 * Signals that see the same thing from different angles: within a family the strongest counts in full, the
 * next half, the third a quarter, and all together no more than the family's cap (score.ts).
 */
export type SignalFamily =
  | 'velocity'
  | 'location'
  | 'device'
  | 'crowd'
  | 'reputation'
  | 'amount'
  | 'account'
  | 'habit'
  | 'trust';

/** Reads a value from the vector for a sentence. */
export type FeatureValues = (feature: FeatureName) => number;

/** One form that a signal can take. */
export interface SignalCase {
  readonly when: Condition;
  readonly strength: Strength;
  detail(value: FeatureValues, facts: ScreeningFacts): string;
}

/** A signal: its name, where it applies, and its cases; of the cases that hold, the strongest counts. */
export interface SignalDefinition {
  /** The name on the wire: it never changes. */
  readonly name: string;
  /** For the documentation; also the fallback sentence. */
  readonly summary: string;
  readonly family: SignalFamily;
  /** @default both */
  readonly applies_to?: 'transactions' | 'events';
  readonly cases: readonly SignalCase[];
  /** If it holds, the decision is at least `review`, whatever favours the attempt. */
  readonly forces_review?: Condition;
  /** The score is at least the value of this feature, whatever favours the attempt. */
  readonly lifts_to?: FeatureName;
}

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

const MOMENT_DAYS = 1e-9;

/** The device was first allowed less than a day ago, while the user has been known for longer, and nobody confirmed it. */
export const deviceIsYoung: Condition = all(
  between('device_age_days', MOMENT_DAYS, 1),
  atLeast('user_age_days', 3),
  not(atLeast('user_device_days', 7)),
);

/**
 * The user earned the device lately, and had been known for longer: a thief who begins with a small purchase, or just logs
 * in, has earned the device by the time of the large one.
 */
export const deviceIsNewlyEarned: Condition = all(
  isTrue('user_device_seen'),
  any(
    all(atMost('user_device_days', 1), atLeast('user_age_days', 3)),
    all(atMost('user_device_days', 7), atLeast('user_age_days', 8)),
  ),
);

/** A device that this user has not earned, or not long ago. */
export const deviceIsNew: Condition = any(isFalse('user_device_seen'), deviceIsYoung, deviceIsNewlyEarned);

/** Known for a week and on their own device: an IP address that is new to them is not suspicious by itself. */
const isAtHomeOnTheDevice = all(isTrue('user_device_seen'), atLeast('user_age_days', 7));

/**
 * Somebody who was never seen at this IP address, nor is otherwise at home: only they can be part of a crowd that moves
 * through a network. A regular customer of a carrier must not pay for what happens elsewhere in it.
 */
export const isStranger: Condition = all(isFalse('user_ip_seen'), not(isAtHomeOnTheDevice));

/** Known since before today: a thief who just got in is seen there too, but only since then. */
const isKnown = atLeast('user_age_days', 1);
const isAtHome = all(isKnown, isTrue('user_ip_seen'), not(deviceIsNew));
const isOnOwnDevice = all(isKnown, isTrue('user_device_seen'), not(deviceIsYoung));

/** Origins of password guessing, in words, and when a user is at home there. */
export const SPRAY_ORIGINS = [
  ['ip', 'IP address', isAtHome],
  ['network', 'network', isAtHome],
  ['device', 'device', isOnOwnDevice],
] as const satisfies ReadonlyArray<readonly ['ip' | 'network' | 'device', string, Condition]>;

export type SprayOrigin = (typeof SPRAY_ORIGINS)[number];
