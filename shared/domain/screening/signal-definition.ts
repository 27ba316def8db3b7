import type { Condition } from './condition';
import type { FeatureName } from './features';
import type { ScreeningFacts } from './screening-facts';
import type { Strength } from './strength';

/**
 * Signals that see the same thing from different sides: within a family the strongest counts in full, the
 * next half, the third a quarter, and all together no more than the family's cap (score.ts).
 */
export type SignalFamily =
  | 'velocity'
  | 'place'
  | 'device'
  | 'crowd'
  | 'reputation'
  | 'amount'
  | 'account'
  | 'habit'
  | 'trust';

/** Reads a figure out of the vector for a sentence. */
export type Figures = (feature: FeatureName) => number;

/** One way in which a signal can show. */
export interface SignalCase {
  readonly when: Condition;
  readonly strength: Strength;
  /** One sentence for a person, with the figures. */
  detail(figure: Figures, facts: ScreeningFacts): string;
}

/** A signal: what it is called, where it applies, and its cases; of those that hold, the strongest counts. */
export interface SignalDefinition {
  /** The name on the wire: stable for ever. */
  readonly name: string;
  /** What it means, for the documentation, and the sentence of last resort. */
  readonly summary: string;
  readonly family: SignalFamily;
  readonly applies_to: 'transactions' | 'events' | 'both';
  readonly cases: readonly SignalCase[];
  /** When it holds, the decision is `review` at the least, whatever else speaks for the attempt. */
  readonly forces_review?: Condition;
}
