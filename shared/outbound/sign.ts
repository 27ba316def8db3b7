import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignatureHeaders {
  readonly 'X-Service-Signature': string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

export interface ToSign {
  /** `whsec_` + standard base64, as shown to the merchant. */
  readonly secret: string;
  /** The previous secret, while a rotation gives receivers time: the delivery then carries one signature per secret. */
  readonly previousSecret?: string | undefined;
  readonly messageId: string;
  /** The raw bytes of the request; never a parsed and re-serialised form. */
  readonly body: Uint8Array;
  readonly timestampSeconds: number;
}

const SECRET_PREFIX = 'whsec_';

/** How far a delivery's clock may be off from the receiver's, either way: what the off-the-shelf verifiers allow. */
export const TOLERANCE_SECONDS = 300;

/**
 * Signs one delivery attempt in two dialects with one secret, so that the verifiers of Stripe, Standard Webhooks and
 * Svix each accept the delivery as is. Their keys differ: Stripe keys the HMAC with the whole secret string, the
 * other two with the bytes after the prefix.
 */
export function signatureHeaders(toSign: ToSign): SignatureHeaders {
  const { secret, previousSecret, messageId, body, timestampSeconds } = toSign;
  if (!Number.isSafeInteger(timestampSeconds)) throw new Error('The timestamp of a signature is in whole seconds');
  const t = String(timestampSeconds);
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  return {
    'X-Service-Signature': [`t=${t}`, ...secrets.map((each) => `v1=${stripeDigest(each, t, body)}`)].join(','),
    'webhook-id': messageId,
    'webhook-timestamp': t,
    'webhook-signature': secrets.map((each) => `v1,${standardDigest(each, messageId, t, body)}`).join(' '),
  };
}

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

const stripeDigest = (secret: string, t: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');

const standardDigest = (secret: string, messageId: string, t: string, body: Uint8Array): string =>
  createHmac('sha256', keyBytes(secret)).update(`${messageId}.${t}.`).update(body).digest('base64');

function keyBytes(secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  // Anybody can compute an HMAC with an empty key.
  if (!secret.startsWith(SECRET_PREFIX) || key.length === 0) throw new Error('A signing secret is whsec_ and base64');
  return key;
}

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
