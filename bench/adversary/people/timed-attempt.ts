import type { Attempt } from '../target/target';
import type { Person } from './person';

/** What an honest person does, and when. */
export interface TimedAttempt {
  readonly at_ms: number;
  readonly person: Person;
  readonly attempt: Attempt;
}
