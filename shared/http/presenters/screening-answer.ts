import { takenWarning } from '../../domain/outcomes/reason-codes';
import { toUsd } from '../../domain/screening/currency-rates';
import { type AppliedRule, BY_SCORE, type DecidedBy } from '../../domain/screening/decide-by-policy';
import type { Contribution } from '../../domain/screening/score';
import type { EventRecord, ScreeningRecord, TransactionRecord } from '../../domain/screening/subjects/screening-record';
import { caseId, decisionId, subjectId } from '../../domain/screening/subjects/subject-id';
import type { WhatIf } from '../../domain/screening/what-if';
import type { AnswerOf } from '../../schemas/answer-of';
import type { screenedEvent, screenedTransaction } from '../../schemas/screening';

/** Members always in this order: DynamoDB returns those of a map in any, and a repeat is the same byte for byte. */
export const explained = (record: ScreeningRecord) => ({
  decided_by: deciderAnswer(record.decided_by ?? BY_SCORE),
  rules: record.rules?.map(ruleAnswer) ?? [],
  lists: [...(record.lists ?? [])],
  signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
  explanation: { base: record.base, contributions: record.contributions.map(contributionAnswer), ...supposed(record) },
  model_version: record.model_version,
  case_id: record.automated_decision === 'review' ? caseId(record.ulid) : null,
});

/** Only decisions that could have been milder have it. */
const supposed = ({ automated_decision, what_if = [] }: ScreeningRecord) =>
  automated_decision === 'allow' ? {} : { what_if: what_if.map(whatIfAnswer) };

const deciderAnswer = ({ kind, name }: DecidedBy): DecidedBy => ({ kind, name });
const contributionAnswer = ({ signal, points, detail }: Contribution): Contribution => ({ signal, points, detail });
const whatIfAnswer = ({ change, decision, ...rest }: WhatIf): WhatIf => ({ change, ...rest, decision });

/** Exactly the members of the answer, whatever else the table holds. */
export const ruleAnswer = ({ name, version, action }: AppliedRule): AppliedRule => ({ name, version, action });

function withoutIt(what: string): string {
  if (what === 'lists' || what === 'rules') return `The ${what} could not be read in time; decided without them.`;
  if (what.startsWith('counter ')) return `The ${what} could not be read in time; rules decided without it.`;
  return `The ${what} history could not be read in time; scored without it.`;
}

const degraded = ({ missing }: ScreeningRecord): string[] => missing.map(withoutIt);

const unrated = ({ currency }: ScreeningRecord): string[] =>
  currency === undefined || toUsd(0, currency) !== undefined
    ? []
    : [`${currency} has no exchange rate: the amount counts as the most that it may be in US dollars.`];

const disowned = ({ taken_references = [] }: ScreeningRecord): string[] => taken_references.map(takenWarning);

const warned = (warnings: readonly string[]): { warnings?: string[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] };

const outcome = (record: ScreeningRecord, warnings: readonly string[]) => ({
  risk_score: record.risk_score,
  risk_level: record.risk_level,
  decision: record.automated_decision,
  ...explained(record),
  screened_at: new Date(record.screened_at_ms).toISOString(),
  ...warned([...warnings, ...disowned(record), ...unrated(record), ...degraded(record)]),
});

export const transactionAnswer = (
  record: TransactionRecord,
  warnings: readonly string[] = [],
): AnswerOf<typeof screenedTransaction> => ({
  transaction_id: subjectId('transaction', record.ulid),
  decision_id: decisionId(record.ulid),
  user_id: record.user_id,
  amount: record.amount,
  currency: record.currency,
  ...outcome(record, warnings),
});

export const eventAnswer = (record: EventRecord, warnings: readonly string[] = []): AnswerOf<typeof screenedEvent> => ({
  event_id: subjectId('event', record.ulid),
  decision_id: decisionId(record.ulid),
  event_type: record.event_type,
  user_id: record.user_id,
  ...(record.amount !== undefined && record.currency !== undefined
    ? { amount: record.amount, currency: record.currency }
    : {}),
  ...outcome(record, warnings),
});
