import { isApplied, type StoredOutcome } from '../../domain/outcomes/outside-outcome';
import type { AnswerOf } from '../../schemas/answer-of';
import type { recordedOutcome } from '../../schemas/outcome';

export const outcomeAnswer = (outcome: StoredOutcome): AnswerOf<typeof recordedOutcome> => ({
  outcome_id: `out_${outcome.ulid}`,
  subject_id: outcome.subject_id,
  type: outcome.type,
  label: outcome.label,
  label_in_force: outcome.label_in_force,
  applied: isApplied(outcome),
  recorded_at: new Date(outcome.recorded_at_ms).toISOString(),
});
