import type { KnownLabel } from '../entities/entity-history';
import type { ProcessorWord } from './processor-word';
import { isFraudReason } from './reason-codes';

/** What somebody outside the review queue may report about a subject. */
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
  /** ISO 8601. */
  readonly occurred_at: string;
}

/** An outcome as it is stored, by its source; the source and the references are pseudonyms. */
export interface StoredOutcome extends StatedOutcome {
  readonly ulid: string;
  /** What the source's ID is called here. */
  readonly source: string;
  /** The key or inbound address that it came through. */
  readonly key_id: string;
  /** What it says: `none` if it says nothing about fraud. */
  readonly label: KnownLabel['label'] | 'none';
  readonly recorded_at_ms: number;
  /** The subject; null while the reference is unknown. */
  readonly subject_id: string | null;
  /** A decline within a rise that the whole account shared (`shared-rise.ts`). @default it was not */
  readonly is_shared?: true;
  /** What held after it was applied. */
  readonly label_in_force: KnownLabel['label'] | null;
  /** Until when it waits for its reference; absent once it is applied. */
  readonly held_until_ms?: number | undefined;
}

export const isApplied = ({ subject_id }: StoredOutcome): boolean => subject_id !== null;

/** What an outcome says about its subject. */
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
    // What the processor said is evidence, not a label.
    case 'authorized':
    case 'declined':
      return 'none';
    default:
      return type satisfies never;
  }
}
