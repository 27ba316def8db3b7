import type { KnownLabel } from '../entities/entity-history';
import type { ProcessorWord } from './processor-word';
import { isFraudReason } from './reason-codes';

/** Outcomes that someone outside the review queue may report. */
export const OUTCOME_TYPES = [
  'chargeback',
  'early_fraud_warning',
  'refund_fraud',
  'user_report',
  'dispute_won',
  'challenge_passed',
  'challenge_failed',
  'authorized',
  'declined',
] as const;

export type OutcomeType = (typeof OUTCOME_TYPES)[number];

/** An outcome for an unknown reference waits this long for the reference. */
export const HELD_MS = 7 * 86_400_000;

/** An outcome as its source states it. */
export interface StatedOutcome extends ProcessorWord {
  readonly type: OutcomeType;
  readonly reason_code?: string | undefined;
  readonly network?: string | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly occurred_at: string;
}

/** An outcome as it is stored, by its source; the source and the references are pseudonyms. */
export interface StoredOutcome extends StatedOutcome {
  readonly ulid: string;
  /** The pseudonym of the source's ID. */
  readonly source: string;
  readonly key_id: string;
  /** `none` if it says nothing about fraud. */
  readonly label: KnownLabel['label'] | 'none';
  readonly recorded_at_ms: number;
  readonly subject_id: string | null;
  /** A decline within a rise that the whole account shared (`shared-rise.ts`). @default it was not */
  readonly is_shared?: true;
  readonly label_in_force: KnownLabel['label'] | null;
  readonly held_until_ms?: number | undefined;
  /** The card as an attribute of the account, by its key, until it is applied. @default the card of the screening */
  readonly card?: string | undefined;
}

export const isApplied = ({ subject_id }: StoredOutcome): boolean => subject_id !== null;

/** The label that an outcome gives its subject. */
export function labelOfOutcome({ type, reason_code, network }: StatedOutcome): StoredOutcome['label'] {
  switch (type) {
    case 'chargeback':
      return isFraudReason(reason_code, network) ? 'fraud' : 'none';
    case 'early_fraud_warning':
    case 'refund_fraud':
    case 'user_report':
      return 'fraud';
    case 'challenge_passed':
      return 'legitimate';
    // People mistype codes and close the window: failing a challenge is not fraud.
    case 'challenge_failed':
    case 'dispute_won':
    // A processor's word is evidence, not a label.
    case 'authorized':
    case 'declined':
      return 'none';
    default:
      return type satisfies never;
  }
}
