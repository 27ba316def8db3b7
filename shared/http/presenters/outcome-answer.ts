import { isApplied, type StoredOutcome } from '../../domain/outcomes/outside-outcome';
import { takenWarning } from '../../domain/outcomes/reason-codes';
import type { AnswerOf } from '../../schemas/answer-of';
import type { addedReferences, recordedOutcome } from '../../schemas/outcome';

export const outcomeAnswer = (outcome: StoredOutcome): AnswerOf<typeof recordedOutcome> => ({
  outcome_id: `out_${outcome.ulid}`,
  subject_id: outcome.subject_id,
  type: outcome.type,
  label: outcome.label,
  label_in_force: outcome.label_in_force,
  applied: isApplied(outcome),
  recorded_at: new Date(outcome.recorded_at_ms).toISOString(),
});

/** The references that a transaction was given, of those that were sent. */
export const addedReferencesAnswer = (
  transaction_id: string,
  sent: readonly string[],
  added: readonly string[],
): AnswerOf<typeof addedReferences> => {
  const taken = sent.flatMap((reference, at) => (added.includes(reference) ? [] : [takenWarning(at)]));
  return { transaction_id, references: [...added], ...(taken.length === 0 ? {} : { warnings: taken }) };
};
