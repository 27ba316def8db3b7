import type { EventAction } from '../../entities/entity-history';
import type { Decision, RiskLevel, Thresholds } from '../decide';
import type { Contribution } from '../score';
import { caseId, decisionId, type SubjectType, subjectId } from './subject-id';

export const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** A person's override of an automated decision. */
export interface Review {
  readonly decision: 'allow' | 'block';
  readonly analyst_id: string | null;
  readonly notes: string | null;
  readonly reviewed_at: string;
}

/** A screening as it is stored: enough to answer for 90 days, and to be scored again bit for bit. */
export interface ScreeningRecord {
  readonly ulid: string;
  readonly subject_type: SubjectType;
  readonly user_id: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly event_type?: EventAction;
  readonly risk_score: number;
  readonly risk_level: RiskLevel;
  readonly automated_decision: Decision;
  readonly base: number;
  readonly contributions: readonly Contribution[];
  readonly model_version: string;
  readonly feature_version: number;
  /** Those of the account at the time, where they are its own: a forced review depends on them. @default the usual ones */
  readonly thresholds?: Thresholds;
  /** The vector that was scored, packed (see feature-vector-codec.ts). */
  readonly vector: Uint8Array;
  /** What else was observed of it, packed (see observed-codec.ts); absent when there was nothing. */
  readonly observed?: Uint8Array;
  /** Keys of the entities that took part: where a label is counted. */
  readonly entities: readonly string[];
  /**
   * Entities, by key, that counted the attempt for another request with the same `Idempotency-Key`, and its mark
   * (`requestMark`): that request leaves its count, every other repeat takes its own back. @default none
   */
  readonly counted_by?: Readonly<Record<string, string>>;
  /** What the model that runs in shadow said; for the judgement of models, never for callers. */
  readonly shadow?: { readonly version: string; readonly risk_score: number };
  /** Entities whose history could not be read when this was scored. */
  readonly missing: readonly string[];
  readonly screened_at_ms: number;
  readonly review: Review | null;
  /** How many reviews there were: makes two at once safe. */
  readonly review_count: number;
}

/** Results are gone after 90 days by the clock, whenever the table's own clean-up gets to them. */
export const isRetained = (record: Pick<ScreeningRecord, 'screened_at_ms'>, nowMs: number): boolean =>
  nowMs - record.screened_at_ms < RETENTION_MS;

/** Whether an id names the decision on this subject: its own, or the subject's. */
export const isDecisionOf = ({ ulid, subject_type }: ScreeningRecord, id: string): boolean =>
  id === decisionId(ulid) || id === subjectId(subject_type, ulid);

const signalsOf = ({ contributions }: ScreeningRecord): string[] =>
  contributions.filter(({ points }) => points > 0).map(({ signal }) => signal);

const caseIdOf = (record: ScreeningRecord): string | null =>
  record.automated_decision === 'review' ? caseId(record.ulid) : null;

const iso = (ms: number): string => new Date(ms).toISOString();

const degraded = ({ missing }: ScreeningRecord): { warnings?: string[] } =>
  missing.length === 0
    ? {}
    : {
        warnings: missing.map((entity) => `The ${entity} history could not be read in time; scored without it.`),
      };

/** The screening as POST and GET answer it. */
export function screeningAnswer(record: ScreeningRecord): object {
  const head =
    record.subject_type === 'transaction'
      ? {
          transaction_id: subjectId('transaction', record.ulid),
          decision_id: decisionId(record.ulid),
          user_id: record.user_id,
          amount: record.amount,
          currency: record.currency,
        }
      : {
          event_id: subjectId('event', record.ulid),
          decision_id: decisionId(record.ulid),
          event_type: record.event_type,
          user_id: record.user_id,
        };
  return {
    ...head,
    risk_score: record.risk_score,
    risk_level: record.risk_level,
    decision: record.automated_decision,
    signals: signalsOf(record),
    explanation: { base: record.base, contributions: record.contributions },
    model_version: record.model_version,
    case_id: caseIdOf(record),
    screened_at: iso(record.screened_at_ms),
    ...degraded(record),
  };
}

/** The decision, with a review where there was one. */
export function decisionAnswer(record: ScreeningRecord): object {
  return {
    decision_id: decisionId(record.ulid),
    subject_type: record.subject_type,
    subject_id: subjectId(record.subject_type, record.ulid),
    user_id: record.user_id,
    ...(record.subject_type === 'transaction'
      ? { amount: record.amount, currency: record.currency }
      : { event_type: record.event_type }),
    decision: record.review?.decision ?? record.automated_decision,
    automated_decision: record.automated_decision,
    risk_score: record.risk_score,
    signals: signalsOf(record),
    explanation: { base: record.base, contributions: record.contributions },
    model_version: record.model_version,
    case_id: caseIdOf(record),
    decided_at: iso(record.screened_at_ms),
    review: record.review,
  };
}
