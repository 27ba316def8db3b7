import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import { processorWord } from '../../domain/outcomes/processor-word';
import { customerExplanation } from '../../domain/screening/customer-explanation';
import type { SeenEvidence } from '../../domain/screening/subjects/evidence';
import { isEvent, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { decisionId, subjectId } from '../../domain/screening/subjects/subject-id';
import type { AnswerOf } from '../../schemas/answer-of';
import type { decision, decisionList, evidence, listedDecision } from '../../schemas/screening';
import { explained, ruleAnswer } from './screening-answer';

export const decisionAnswer = (record: ScreeningRecord): AnswerOf<typeof decision> => ({
  decision_id: decisionId(record.ulid),
  subject_type: record.subject_type,
  subject_id: subjectId(record.subject_type, record.ulid),
  user_id: record.user_id,
  ...(record.amount !== undefined && record.currency !== undefined
    ? { amount: record.amount, currency: record.currency }
    : {}),
  ...(isEvent(record) ? { event_type: record.event_type } : {}),
  decision: record.review?.decision ?? record.automated_decision,
  automated_decision: record.automated_decision,
  risk_score: record.risk_score,
  ...explained(record),
  shadow_rules: record.shadow_rules?.map(ruleAnswer) ?? [],
  ...(record.intelligence ? { intelligence_version: record.intelligence } : {}),
  ...(record.counters ? { counters: { ...record.counters } } : {}),
  decided_at: new Date(record.screened_at_ms).toISOString(),
  review: record.review,
  customer_explanation: customerExplanation(record),
  ...(record.displayed ? { displayed: { ...record.displayed } } : {}),
  ...(record.agent ? { agent: { ...record.agent } } : {}),
});

export const evidenceAnswer = (
  id: string,
  { evidence: seen = {}, isWithheld }: SeenEvidence,
): AnswerOf<typeof evidence> => {
  const { references, ...rest } = seen;
  return {
    decision_id: id.replace(/^[a-z]+/, 'dec'),
    ...rest,
    ...(references ? { references: [...references] } : {}),
    kept: Object.keys(seen).length > 0,
    withheld: isWithheld,
  };
};

/** Outcomes from outside, oldest first; nothing if there are none. */
function outcomesOf(kept: KeptSubject | undefined) {
  const said = Object.values(kept?.statements ?? {});
  if (said.length === 0) return {};
  const outcomes = said
    .sort((a, b) => a.recorded_at_ms - b.recorded_at_ms)
    .map(({ type, label, occurred_at, recorded_at_ms, is_withdrawn, ...said }) => ({
      ...{ type, label, withdrawn: is_withdrawn === true },
      occurred_at: new Date(occurred_at).toISOString(),
      recorded_at: new Date(recorded_at_ms).toISOString(),
      ...processorWord(said),
    }));
  return { outcomes, label_in_force: kept?.in_force?.label ?? null };
}

export const listedDecisionAnswer = (
  record: ScreeningRecord,
  kept: KeptSubject | undefined,
): AnswerOf<typeof listedDecision> => ({ ...decisionAnswer(record), ...outcomesOf(kept) });

/** A page of decisions; for an account that lists none, a word about why there may be few. */
export const decisionListAnswer = ({
  decisions,
  kept,
  nextCursor,
  isListing,
}: {
  readonly decisions: readonly ScreeningRecord[];
  readonly kept: ReadonlyMap<string, KeptSubject>;
  readonly nextCursor: string | null;
  readonly isListing: boolean;
}): AnswerOf<typeof decisionList> => ({
  decisions: decisions.map((record) => listedDecisionAnswer(record, kept.get(record.ulid))),
  next_cursor: nextCursor,
  ...(isListing ? {} : { warnings: ['This account keeps no history: new decisions are found by ID only.'] }),
});
