import { atLeast } from '../condition';
import type { SignalDefinition } from '../signal-definition';

/** What counts as a repeat: shared/domain/entities/stopped-mark.ts. */
export const repeatsStoppedAttempt: SignalDefinition = {
  name: 'repeats_stopped_attempt',
  summary: 'the user tried this before and was stopped; never scored lower than the stopped attempt',
  family: 'reputation',
  applies_to: 'both',
  cases: [
    {
      when: atLeast('repeats_stopped_score', 1),
      strength: 0.3,
      detail: (value) =>
        `Repeats an attempt of this user that was stopped with a score of ${value('repeats_stopped_score')}`,
    },
  ],
  lifts_to: 'repeats_stopped_score',
};
