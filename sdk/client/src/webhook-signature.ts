import { WebhookVerificationError } from './webhook-verification-error';

export type HeaderReader = (name: string) => string | undefined;

type Bytes = Uint8Array<ArrayBuffer>;

/** One dialect of a delivery's signature: what it says it signed, and the signatures it offers. */
export interface Signature {
  readonly timestamp: string;
  /** Signed before the body. */
  readonly prefix: string;
  readonly offered: readonly string[];
  readonly keyOf: (secret: string) => Bytes;
  readonly encode: (digest: Bytes) => string;
}

const utf8 = new TextEncoder();

/** Standard Webhooks, which Svix speaks too. Its signature covers the id. */
export function standardSignature(header: HeaderReader): Signature | undefined {
  const signature = header('webhook-signature');
  if (!signature) return undefined;
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  if (!id || !timestamp) {
    throw new WebhookVerificationError('missing_header', 'webhook-id or webhook-timestamp is missing');
  }
  return {
    timestamp,
    prefix: `${id}.${timestamp}.`,
    offered: signature.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice('v1,'.length)] : [])),
    keyOf: bytesBehindPrefix,
    encode: (digest) => btoa(String.fromCharCode(...digest)),
  };
}

/** `X-Service-Signature`, made like Stripe's. */
export function serviceSignature(header: HeaderReader): Signature | undefined {
  const signature = header('x-service-signature');
  if (!signature) return undefined;
  const fields = signature.split(',').map((field) => field.split('='));
  const valuesOf = (wanted: string) => fields.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [timestamp, ...others] = valuesOf('t');
  if (!timestamp || others.length > 0) {
    throw new WebhookVerificationError('malformed_header', 'X-Service-Signature must have exactly one t');
  }
  return {
    timestamp,
    prefix: `${timestamp}.`,
    offered: valuesOf('v1'),
    keyOf: (secret) => utf8.encode(secret),
    encode: (digest) => [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** Whether this secret made one of the signatures that are offered for the body. */
export async function isSigned(signature: Signature, secret: string, body: Bytes): Promise<boolean> {
  const { prefix, offered, keyOf, encode } = signature;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), hmac, false, ['sign']);
  const head = utf8.encode(prefix);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const expected = encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)));
  return offered.map((one) => isEqual(one, expected)).includes(true);
}

/**
 * In constant time, over the encoded text: the last base64 character of 32 bytes has two idle bits, and hex has two
 * cases, so that decoding first would accept a header that was tampered with.
 */
function isEqual(offered: string, expected: string): boolean {
  if (offered.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= offered.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

const bytesBehindPrefix = (secret: string): Bytes =>
  Uint8Array.from(atob(secret.replace('whsec_', '')), (character) => character.charCodeAt(0));
