import { createHmac } from 'node:crypto';

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

export const stripeDigest = (secret: string, t: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');

export const standardDigest = (secret: string, messageId: string, t: string, body: Uint8Array): string =>
  createHmac('sha256', keyBytes(secret)).update(`${messageId}.${t}.`).update(body).digest('base64');

function keyBytes(secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  // Anybody can compute an HMAC with an empty key.
  if (!secret.startsWith(SECRET_PREFIX) || key.length === 0) throw new Error('A signing secret is whsec_ and base64');
  return key;
}
