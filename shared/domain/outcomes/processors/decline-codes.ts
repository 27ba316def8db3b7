import type { DeclineReason, ProcessorWord } from '../processor-word';
import type { Provider } from './notification';

/*
 * Meanings of processors' codes for declined payments. A code that is not here is `other`, which counts nowhere.
 *
 * Sources:
 *   stripe   docs.stripe.com/declines/codes (`decline_code`), docs.stripe.com/error-codes (`failure_code` of what Stripe checks)
 *   adyen    docs.adyen.com/development-resources/refusal-reasons: `reason` of a notification is the refusal reason, in words;
 *            its number is what the same page calls refusalReasonCode
 *
 * A decline without an explanation (`generic_decline`, `Refused`) is what banks call "do not honor".
 */
const CODES: Readonly<Record<Provider, Readonly<Partial<Record<DeclineReason, readonly string[]>>>>> = {
  stripe: {
    incorrect_cvc: ['incorrect_cvc', 'invalid_cvc'],
    incorrect_number: ['incorrect_number', 'invalid_number', 'invalid_account'],
    expired_card: ['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'],
    lost_or_stolen: ['lost_card', 'stolen_card', 'pickup_card'],
    suspected_fraud: ['fraudulent', 'merchant_blacklist', 'security_violation', 'highest_risk_level'],
    do_not_honor: [
      ...['do_not_honor', 'generic_decline', 'call_issuer', 'do_not_try_again', 'no_action_taken', 'restricted_card'],
      ...['revocation_of_authorization', 'revocation_of_all_authorizations', 'stop_payment_order'],
    ],
    insufficient_funds: ['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
    processor_error: ['processing_error', 'issuer_not_available', 'reenter_transaction', 'try_again_later'],
  },
  adyen: {
    incorrect_cvc: ['cvc declined', '24'],
    incorrect_number: ['invalid card number', '8'],
    expired_card: ['expired card', '6'],
    lost_or_stolen: ['blocked card', '5'],
    suspected_fraud: [
      ...['acquirer fraud', '14', 'fraud', '20', 'fraud-cancelled', '22', 'issuer suspected fraud', '31'],
    ],
    do_not_honor: [
      ...['refused', '2', 'referral', '3', 'restricted card', '25', 'revocation of auth', '26'],
      ...['declined non generic', '27'],
    ],
    insufficient_funds: [
      ...['not enough balance', '12', 'withdrawal amount exceeded', '28', 'withdrawal count exceeded', '29'],
    ],
    processor_error: ['acquirer error', '4', 'issuer unavailable', '9', 'not submitted', '21'],
  },
};

/** Reasons by the code of a processor. */
export const DECLINE_CODES: Readonly<Record<Provider, ReadonlyMap<string, DeclineReason>>> = {
  stripe: byCode(CODES.stripe),
  adyen: byCode(CODES.adyen),
};

function byCode(codes: (typeof CODES)[Provider]): ReadonlyMap<string, DeclineReason> {
  const all = Object.entries(codes) as ReadonlyArray<readonly [DeclineReason, readonly string[]]>;
  return new Map(all.flatMap(([reason, list]) => list.map((code) => [code, reason] as const)));
}

/** The reason of the first code that is known; `other` if none is. */
export function declineReason(provider: Provider, ...codes: readonly (string | undefined)[]): DeclineReason {
  for (const code of codes) {
    const known = code === undefined ? undefined : DECLINE_CODES[provider].get(code.trim().toLowerCase());
    if (known !== undefined) return known;
  }
  return 'other';
}

type Check = ProcessorWord['cvc_check'];

/** Stripe's checks (`payment_method_details.card.checks`): an address passes if neither of its two parts fails. */
export const stripeCheck = (...results: readonly unknown[]): Check => {
  if (results.includes('fail')) return 'fail';
  if (results.includes('pass')) return 'pass';
  return results.some((each) => each === 'unavailable' || each === 'unchecked') ? 'unavailable' : undefined;
};

/** `payment_method_details.card.three_d_secure.result` (docs.stripe.com/api/charges/object). */
export const STRIPE_3DS: Readonly<Record<string, ProcessorWord['three_d_secure']>> = {
  authenticated: 'authenticated',
  attempt_acknowledged: 'attempted',
  exempted: 'none',
  not_supported: 'attempted',
  failed: 'failed',
  processing_error: 'failed',
};

/**
 * Adyen writes a number and its meaning, `2 Doesn't match` or `1 Address matches, postal code doesn't`
 * (docs.adyen.com/risk-management/avs-checks; the fields: docs.adyen.com/development-resources/webhooks/additional-settings).
 * A partial match is not a match.
 */
export function adyenCheck(value: unknown): Check {
  if (typeof value !== 'string' || value === '') return undefined;
  if (/n['’]t\b|neither/i.test(value)) return 'fail';
  return /match/i.test(value) ? 'pass' : 'unavailable';
}

/** Whether 3-D Secure was offered and passed; `threeDAuthenticatedResponse` is `A` if it was only attempted. */
export function adyen3ds(
  data: Readonly<Record<string, unknown>>,
  reason: string | undefined,
): ProcessorWord['three_d_secure'] {
  if (reason?.trim().toLowerCase() === '3d not authenticated') return 'failed';
  if (data.threeDOffered === undefined && data.threeDAuthenticated === undefined) return undefined;
  if (data.threeDAuthenticatedResponse === 'A') return 'attempted';
  if (data.threeDAuthenticated === 'true') return 'authenticated';
  return data.threeDOffered === 'true' ? 'failed' : 'none';
}
