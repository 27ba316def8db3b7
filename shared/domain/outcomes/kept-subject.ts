import { type AccountSettings, labelEndMs } from '../accounts/account';
import type { KnownLabel } from '../entities/entity-history';
import { kindOfKey } from '../entities/entity-ref';
import { RETENTION_MS, type ScreeningRecord } from '../screening/subjects/screening-record';
import type { OutcomeType, StoredOutcome } from './outside-outcome';
import type { ProcessorWord } from './processor-word';

/** The parts of a screening that a label needs. Anonymous: entities are pseudonyms. */
export type LabelledScreening = Pick<
  ScreeningRecord,
  | 'ulid'
  | 'subject_type'
  | 'amount'
  | 'currency'
  | 'event_type'
  | 'risk_score'
  | 'automated_decision'
  | 'decided_by'
  | 'model_version'
  | 'feature_version'
  | 'vector'
  | 'observed'
  | 'entities'
  | 'earning'
  | 'stopped'
  | 'screened_at_ms'
  | 'network'
  | 'card'
> & {
  /** The bank declined the payment: its earnings were taken back. @default not declined */
  readonly unearned?: true;
  /** Likewise its amount, in the windows of those who took part. @default spent */
  readonly unspent?: true;
};

/** Where a label comes from: a person's review, or an outcome from outside. */
export type LabelSource = 'review' | OutcomeType;

/** A label that counts, and its source. */
export interface SourcedLabel extends KnownLabel {
  readonly source: LabelSource;
}

/** An outcome on its subject. */
export interface Statement
  extends Pick<StoredOutcome, 'type' | 'label' | 'reason_code' | 'network' | 'amount' | 'currency'>,
    ProcessorWord {
  readonly occurred_at: string;
  readonly recorded_at_ms: number;
  readonly is_withdrawn?: true;
}

/**
 * The record of a screening for labels that may come until `kept_until_ms`, long after its result is gone. It exists
 * for screenings that have a reference or an outcome, and is then where the current label is decided.
 */
export interface KeptSubject {
  readonly screening: LabelledScreening;
  readonly signals: readonly string[];
  readonly kept_until_ms: number;
  readonly review: KnownLabel | null;
  readonly statements: Readonly<Record<string, Statement>>;
  readonly in_force: SourcedLabel | null;
  /** How often the label changed: the number of the last label that training keeps. */
  readonly label_changes: number;
  /** How often anything changed: guards concurrent changes. Below zero if it is not stored yet. */
  readonly version: number;
}

/** The larger wins; unranked sources never count. A person beats a bank, a bank a warning, a warning a report. */
const RANK: Readonly<Record<LabelSource, number>> = {
  review: 5,
  chargeback: 4,
  early_fraud_warning: 3,
  refund_fraud: 3,
  user_report: 2,
  challenge_passed: 1,
  challenge_failed: 0,
  dispute_won: 0,
  authorized: 0,
  declined: 0,
};

/**
 * Whether a source's label counts on an entity. Passing a challenge shows who the user is, and no more: a thief who
 * passes one with their own card must not clear the device that others were robbed with.
 */
export const countsOn = (source: LabelSource, entity: string): boolean =>
  source !== 'challenge_passed' || kindOfKey(entity) === 'user';

/** Until when a screening is kept for labels: at least as long as its result. */
export const keptUntilMs = (
  settings: Pick<AccountSettings, 'label_window_days'>,
  record: Pick<ScreeningRecord, 'screened_at_ms'>,
): number => Math.max(labelEndMs(settings, record), record.screened_at_ms + RETENTION_MS);

/** The record kept of a screening from now on, with its review. */
export function keptSubject(record: ScreeningRecord, kept_until_ms: number): KeptSubject {
  const { ulid, subject_type, amount, currency, event_type, risk_score, automated_decision } = record;
  const { model_version, feature_version, vector, observed, entities, earning, stopped, screened_at_ms } = record;
  const review: KnownLabel | null = record.review && {
    label: record.review.decision === 'block' ? 'fraud' : 'legitimate',
    known_at_ms: Date.parse(record.review.reviewed_at),
  };
  return {
    screening: {
      ...{ ulid, subject_type, risk_score, automated_decision, model_version, feature_version, vector, entities },
      ...(amount === undefined ? {} : { amount }),
      ...(currency === undefined ? {} : { currency }),
      ...(event_type === undefined ? {} : { event_type }),
      ...(record.decided_by === undefined ? {} : { decided_by: record.decided_by }),
      ...(observed === undefined ? {} : { observed }),
      ...(earning === undefined ? {} : { earning }),
      ...(stopped === undefined ? {} : { stopped }),
      ...(record.network === undefined ? {} : { network: record.network }),
      ...(record.card === undefined ? {} : { card: record.card }),
      screened_at_ms,
    },
    signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
    kept_until_ms,
    review,
    statements: {},
    in_force: review && { ...review, source: 'review' },
    label_changes: record.review_count,
    version: 0,
  };
}

/** Whether a payment was allowed and someone outside reported it as fraud. */
export const isMissedFraud = ({ screening, in_force }: Pick<KeptSubject, 'screening' | 'in_force'>): boolean =>
  screening.subject_type === 'transaction' &&
  screening.automated_decision === 'allow' &&
  in_force?.label === 'fraud' &&
  in_force.source !== 'review';

/** The strongest label that is not withdrawn; of equals, the first that became known. */
export function currentLabel({ review, statements }: Pick<KeptSubject, 'review' | 'statements'>): SourcedLabel | null {
  const all: SourcedLabel[] = review ? [{ ...review, source: 'review' }] : [];
  for (const { type, label, recorded_at_ms, is_withdrawn } of Object.values(statements)) {
    if (label !== 'none' && !is_withdrawn) all.push({ label, known_at_ms: recorded_at_ms, source: type });
  }
  all.sort((a, b) => RANK[b.source] - RANK[a.source] || a.known_at_ms - b.known_at_ms);
  return all[0] ?? null;
}

/** The entities that count a decline: those of the screening, and the network, which counts no labels. */
export const declinedEntities = ({ entities, network }: LabelledScreening): readonly string[] =>
  network === undefined ? entities : [...entities, network];
