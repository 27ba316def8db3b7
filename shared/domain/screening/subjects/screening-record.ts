import type { Trace } from '../../traceparent';
import type { Decision, RiskLevel, Thresholds } from '../decide';
import type { AppliedRule, DecidedBy } from '../decide-by-policy';
import type { Contribution } from '../score';
import type { WhatIf } from '../what-if';
import type { Agent } from './attempt-of';
import { decisionId, type SubjectType, subjectId } from './subject-id';

export const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** A person's override of an automated decision. */
export interface Review {
  readonly decision: 'allow' | 'block';
  readonly analyst_id: string | null;
  readonly notes: string | null;
  readonly reviewed_at: string;
  readonly reason_code?: string;
}

/** A screening as it is stored: enough to serve for 90 days, and to be scored again bit for bit. */
export interface ScreeningRecord {
  readonly ulid: string;
  readonly subject_type: SubjectType;
  readonly user_id: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly event_type?: string;
  readonly risk_score: number;
  readonly risk_level: RiskLevel;
  readonly automated_decision: Decision;
  /** The source of the decision. @default the score */
  readonly decided_by?: DecidedBy;
  readonly rules?: readonly AppliedRule[];
  readonly lists?: readonly string[];
  readonly shadow_rules?: readonly AppliedRule[];
  readonly counters?: Readonly<Record<string, number>>;
  readonly what_if?: readonly WhatIf[];
  readonly base: number;
  readonly contributions: readonly Contribution[];
  readonly model_version: string;
  readonly feature_version: number;
  /** The version of what was known offline of addresses and domains. @default unknown: it is older than these versions */
  readonly intelligence?: string;
  /** The account's own thresholds at the time, if any: a forced review depends on them. @default the usual ones */
  readonly thresholds?: Thresholds;
  readonly vector: Uint8Array;
  /** Other observed attributes, packed (see observed-codec.ts); absent if there were none. */
  readonly observed?: Uint8Array;
  /** Keys of the entities that took part: labels are counted there. */
  readonly entities: readonly string[];
  /** Transactions: the key of the network of the IP address, which counts declines. @default none */
  readonly network?: string;
  /** The pseudonym of the card, unless it is one of the entities. @default none */
  readonly card?: string;
  /**
   * Entities, by key, that counted the attempt for another request with the same `Idempotency-Key`, and its mark
   * (`requestMark`): that request leaves its count, every other repeat removes its own. @default none
   */
  readonly counted_by?: Readonly<Record<string, string>>;
  /** Everything the attempt makes familiar (`earning.ts`): at once if it was allowed, else when a person approves it. */
  readonly earning?: string;
  /** Reviews and blocks: the mark that the user's history keeps of it (`stopped-mark.ts`). */
  readonly stopped?: string;
  /** The score of the model in shadow; for evaluating models, never for callers. */
  readonly shadow?: { readonly version: string; readonly risk_score: number };
  readonly references?: readonly string[];
  /** Positions of the references that it was sent with and that belong to another user's. @default none */
  readonly taken_references?: readonly number[];
  /** Until when it is kept for labels from outside, anonymously. @default it has no reference and no outcome */
  readonly kept_until_ms?: number;
  /** Attributes that the account wants its analysts to see, as they were sent. @default none */
  readonly displayed?: Readonly<Record<string, string>>;
  /** Evidence, sealed (`evidence.ts`); the item keeps as much of it as fits. @default nothing */
  readonly sent?: Uint8Array;
  readonly agent?: Agent;
  readonly trace?: Trace;
  /** Entities whose history could not be read when this was scored. */
  readonly missing: readonly string[];
  readonly screened_at_ms: number;
  /** Entities, by position, that had not been seen with the user before (`new-links.ts`). @default none */
  readonly linked?: string;
  /** The user's pseudonym, where `entities` must not name them: a forced decision is listed, and nothing is learnt from it. */
  readonly listed_user?: string;
  /** The account keeps no history: the screening is found by its ID only. @default it is in the lists of decisions */
  readonly unlisted?: true;
  readonly review: Review | null;
  /** The number of reviews: guards concurrent reviews. */
  readonly review_count: number;
}

/** Thrown instead of storing a screening with references that belong to another user's: the first owner keeps them. */
export class ReferencesTaken extends Error {
  constructor(readonly names: readonly string[]) {
    super('References belong to another user');
  }
}

/** A screening without references that belong to another user's. Without any, it is kept once an outcome names it. */
export function withoutReferences(record: ScreeningRecord, taken: readonly string[]): ScreeningRecord {
  const { references = [], kept_until_ms, taken_references = [], ...rest } = record;
  const left = references.filter((name) => !taken.includes(name));
  // Where each stood in the request, before others were left out.
  const sent = [...references, ...taken_references].map((_, at) => at).filter((at) => !taken_references.includes(at));
  return {
    ...rest,
    ...(left.length === 0 || kept_until_ms === undefined ? {} : { references: left, kept_until_ms }),
    taken_references: [...taken_references, ...sent.filter((_, at) => taken.includes(references[at] ?? ''))].sort(),
  };
}

/** A screened payment, always stored with its amount. */
export interface TransactionRecord extends ScreeningRecord {
  readonly subject_type: 'transaction';
  readonly amount: number;
  readonly currency: string;
}

/** Any other screened action of a user. */
export interface EventRecord extends ScreeningRecord {
  readonly subject_type: 'event';
  readonly event_type: string;
}

export const isTransaction = (record: ScreeningRecord): record is TransactionRecord =>
  record.subject_type === 'transaction';

export const isEvent = (record: ScreeningRecord): record is EventRecord => record.subject_type === 'event';

/** Whether a sandbox request forced the decision: nothing is learnt from it, nor from labels of it. */
export const isForced = ({ decided_by }: Pick<ScreeningRecord, 'decided_by'>): boolean =>
  decided_by?.kind === 'sandbox';

/** Results disappear after exactly 90 days, regardless of when the table deletes them. */
export const isRetained = (record: Pick<ScreeningRecord, 'screened_at_ms'>, nowMs: number): boolean =>
  nowMs - record.screened_at_ms < RETENTION_MS;

/** The current decision: a person's, else the automated one. */
export const currentDecision = ({
  review,
  automated_decision,
}: Pick<ScreeningRecord, 'review' | 'automated_decision'>): Decision => review?.decision ?? automated_decision;

/** Whether an id names the decision on this subject: the decision's own id, or the subject's. */
export const isDecisionOf = (
  { ulid, subject_type }: Pick<ScreeningRecord, 'ulid' | 'subject_type'>,
  id: string,
): boolean => id === decisionId(ulid) || id === subjectId(subject_type, ulid);
