/*
 * The processor's word on a payment: whether the bank authorized it, why not, and what it checked. It never labels: banks
 * decline honest people all day.
 */

export const DECLINE_REASONS = [
  'incorrect_cvc',
  'incorrect_number',
  'expired_card',
  'lost_or_stolen',
  'suspected_fraud',
  'do_not_honor',
  'insufficient_funds',
  'processor_error',
  'other',
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Results of checking a CVC or an address. */
export const CHECK_RESULTS = ['pass', 'fail', 'unavailable'] as const;

/** Results of 3-D Secure; `attempted` if the bank does not take part. */
export const THREE_D_SECURE_RESULTS = ['authenticated', 'attempted', 'failed', 'none'] as const;

/** The members of an outcome that only a processor states. */
export interface ProcessorWord {
  readonly decline_reason?: DeclineReason | undefined;
  readonly cvc_check?: (typeof CHECK_RESULTS)[number] | undefined;
  readonly address_check?: (typeof CHECK_RESULTS)[number] | undefined;
  readonly three_d_secure?: (typeof THREE_D_SECURE_RESULTS)[number] | undefined;
}

/** Guessers get numbers wrong, stolen cards are refused, and everything else happens to honest people all the time. */
export type DeclineClass = 'guessing' | 'refused' | 'no_evidence';

const CLASS: Readonly<Record<DeclineReason, DeclineClass>> = {
  incorrect_cvc: 'guessing',
  incorrect_number: 'guessing',
  expired_card: 'guessing',
  lost_or_stolen: 'refused',
  suspected_fraud: 'refused',
  do_not_honor: 'refused',
  insufficient_funds: 'no_evidence',
  processor_error: 'no_evidence',
  other: 'no_evidence',
};

/** A decline without a reason proves nothing. */
export const declineClass = (reason: DeclineReason | undefined): DeclineClass =>
  reason === undefined ? 'no_evidence' : CLASS[reason];

/** Whether an outcome is a decline that histories count. */
export const isCountedDecline = ({
  type,
  decline_reason,
}: { readonly type: string } & Pick<ProcessorWord, 'decline_reason'>): boolean =>
  type === 'declined' && declineClass(decline_reason) !== 'no_evidence';

/** The members of a processor's word that were given. */
export function processorWord({ decline_reason, cvc_check, address_check, three_d_secure }: ProcessorWord) {
  const word: { -readonly [Member in keyof ProcessorWord]: NonNullable<ProcessorWord[Member]> } = {};
  if (decline_reason !== undefined) word.decline_reason = decline_reason;
  if (cvc_check !== undefined) word.cvc_check = cvc_check;
  if (address_check !== undefined) word.address_check = address_check;
  if (three_d_secure !== undefined) word.three_d_secure = three_d_secure;
  return word;
}
