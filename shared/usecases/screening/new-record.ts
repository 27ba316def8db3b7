import type { ObservedAttribute } from '../../domain/screening/attributes/observed-attribute';
import { packObserved } from '../../domain/screening/attributes/observed-codec';
import { FEATURE_VERSION } from '../../domain/screening/features';
import type { Screening } from '../../domain/screening/screen';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import { packVector } from '../../domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { countedElsewhere, type Recording } from './screening-compensation';
import { type JudgedScreening, judgedMembers } from './screening-judgement';

/** A screening with the account's own judgement, and what would have led to another one. */
export interface Judged {
  readonly screening: Screening;
  readonly judgement: JudgedScreening;
  readonly what_if?: ScreeningRecord['what_if'] | undefined;
}

/** A record while it is made. */
export type Draft = { -readonly [Member in keyof ScreeningRecord]: ScreeningRecord[Member] };

/** What is stored of a screening, before its account's settings are considered. */
export function newRecord(
  subject: Subject,
  { screening, judgement, what_if }: Judged,
  { ulid, observed }: { readonly ulid: string; readonly observed: readonly ObservedAttribute[] },
  { attempt, refs, recorded }: Recording,
): Draft {
  const { amount, currency, action, agent } = subject;
  const { shadow } = screening;
  const record: Draft = {
    ulid,
    subject_type: subject.subject_type,
    user_id: subject.user_id,
    risk_score: judgement.risk_score,
    risk_level: judgement.risk_level,
    automated_decision: judgement.decision,
    base: screening.explanation.base,
    contributions: judgement.contributions,
    model_version: screening.model_version,
    feature_version: FEATURE_VERSION,
    vector: packVector(screening.vector),
    entities: refs.map(({ key }) => key),
    missing: [],
    screened_at_ms: attempt.at_ms,
    review: null,
    review_count: 0,
  };
  if (amount !== undefined) record.amount = amount;
  if (currency !== undefined) record.currency = currency;
  if (action !== 'transaction') record.event_type = action;
  if (agent !== undefined) record.agent = agent;
  if (observed.length > 0) record.observed = packObserved(observed);
  if (what_if !== undefined) record.what_if = what_if;
  if (shadow !== undefined && shadow.risk_score !== null)
    record.shadow = { version: shadow.version, risk_score: shadow.risk_score };
  return Object.assign(record, judgedMembers(judgement), countedElsewhere(recorded));
}
