import type { Condition } from './condition';
import type { FeatureName } from './features';
import type { ScreeningFacts } from './screening-facts';
import type { Strength } from './strength';

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
  /** One sentence for a person, including the values. */
  detail(value: FeatureValues, facts: ScreeningFacts): string;
}

/** A signal: its name, where it applies, and its cases; of the cases that hold, the strongest counts. */
export interface SignalDefinition {
  /** The name on the wire: it never changes. */
  readonly name: string;
  /** What it means, for the documentation; also the fallback sentence. */
  readonly summary: string;
  readonly family: SignalFamily;
  readonly applies_to: 'transactions' | 'events' | 'both';
  readonly cases: readonly SignalCase[];
  /** If it holds, the decision is at least `review`, whatever else speaks in favour of the attempt. */
  readonly forces_review?: Condition;
  /** The score is at least the value of this feature, whatever else speaks in favour of the attempt. */
  readonly lifts_to?: FeatureName;
}
