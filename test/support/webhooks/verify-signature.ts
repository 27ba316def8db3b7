import { timingSafeEqual } from 'node:crypto';
import { standardDigest, stripeDigest } from '../../../shared/outbound/sign';

/** How far a delivery's clock may be off from the receiver's, either way: what the off-the-shelf verifiers allow. */
export const TOLERANCE_SECONDS = 300;

export interface ToVerify {
  /** Every secret that may have signed: during a rotation, the old one and the new one. */
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

export type Verification =
  | { readonly kind: 'verified'; readonly messageId: string; readonly timestampSeconds: number }
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

export type RefusalReason =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch';

/**
 * Verifies both dialects of a delivery; if either fails, the delivery is refused. Only `webhook-signature` covers the
 * ID, so `X-Service-Signature` alone would let a replay pass under a new ID.
 */
export function verifySignature(delivery: ToVerify): Verification {
  const { secrets, body, nowSeconds, toleranceSeconds = TOLERANCE_SECONDS } = delivery;
  const headers = lowerCased(delivery.headers);
  const messageId = headers.get('webhook-id');
  const t = headers.get('webhook-timestamp');
  const standard = headers.get('webhook-signature');
  const stripe = headers.get('x-service-signature');
  if (!messageId || !t || !standard || !stripe) return refused('missing_header');

  const stripeFields = stripe.split(',').map(nameAndValue);
  const stripeTimes = stripeFields.filter(([name]) => name === 't').map(([, value]) => value);
  // Digits only: Number() and parseInt() would accept ' 1760000000' or '1760000000x' as the signed text.
  if (!/^\d{1,12}$/.test(t) || stripeTimes.length !== 1 || stripeTimes[0] !== t) return refused('malformed_header');

  const age = nowSeconds - Number(t);
  if (age > toleranceSeconds) return refused('timestamp_too_old');
  if (age < -toleranceSeconds) return refused('timestamp_too_new');

  const stripeGiven = stripeFields.filter(([name]) => name === 'v1').map(([, value]) => value);
  const standardGiven = standard.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice('v1,'.length)] : []));
  // Both dialects must match with the same secret; all secrets are tried, so that timing does not reveal which one.
  const matches = secrets.map(
    (secret) =>
      anyEqual(stripeGiven, stripeDigest(secret, t, body)) &&
      anyEqual(standardGiven, standardDigest(secret, messageId, t, body)),
  );
  return matches.includes(true)
    ? { kind: 'verified', messageId, timestampSeconds: Number(t) }
    : refused('signature_mismatch');
}

const refused = (reason: RefusalReason): Verification => ({ kind: 'refused', reason });

/**
 * Compares the encoded text, not the decoded bytes: the last base64 character of 32 bytes has two unused bits, and
 * hex has two cases, so decoding would accept headers that were tampered with.
 */
function anyEqual(given: readonly string[], expected: string): boolean {
  const right = Buffer.from(expected);
  return given
    .map((one) => Buffer.from(one))
    .map((left) => left.length === right.length && timingSafeEqual(left, right))
    .includes(true);
}

function nameAndValue(field: string): readonly [name: string, value: string] {
  const at = field.indexOf('=');
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
}

function lowerCased(headers: ToVerify['headers']): ReadonlyMap<string, string> {
  const single = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  );
  return new Map(single.map(({ name, value }) => [name.toLowerCase(), value]));
}
