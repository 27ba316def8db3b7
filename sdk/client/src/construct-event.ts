import type { Case, Decision, Delivery, ListEffect, Rule, ScreenedEvent, Transaction } from './types';

/** Why a delivery must not be trusted. */
export type RefusalReason =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'malformed_payload';

/** A delivery that must not be trusted: answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type HeaderReader = (name: string) => string | undefined;

type Bytes = Uint8Array<ArrayBuffer>;

/** One dialect of a delivery's signature: the signed text and the signatures offered. */
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

/** Whether this secret made one of the body's signatures. */
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

/** As Node's `request.headers`, an object with names of any case, or the `Headers` of a fetch `Request`. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ConstructOptions {
  /** How far the delivery's clock may be from yours, in both directions. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** For tests. @default the time now */
  readonly nowSeconds?: number | undefined;
}

/**
 * Verifies a delivery and gives its event; throws `WebhookVerificationError`. Reads the Standard Webhooks headers
 * (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and `X-Service-Signature`: one family is enough, but every
 * family that came must be right.
 *
 * @param payload the raw body, before any JSON parser
 * @param secrets the endpoint's `signing_secret`; several while you move from one endpoint to the next
 */
export async function constructEvent(
  payload: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: ConstructOptions = {},
): Promise<WebhookEvent> {
  const keys = checkedSecrets(typeof secrets === 'string' ? [secrets] : secrets);
  const body = bytesOf(payload);
  const header = headerReader(headers);
  const signatures = [standardSignature(header), serviceSignature(header)].filter((each) => each !== undefined);
  if (signatures.length === 0) {
    throw new WebhookVerificationError(
      'missing_header',
      'Neither webhook-signature nor X-Service-Signature is present',
    );
  }
  for (const { timestamp } of signatures) checkTime(timestamp, options);
  // Every secret is tried, so that timing does not reveal which it was; one secret must make all the signatures.
  const matches = await Promise.all(
    keys.map(async (secret) => {
      const made = await Promise.all(signatures.map((signature) => isSigned(signature, secret, body)));
      return !made.includes(false);
    }),
  );
  if (!matches.includes(true)) {
    const advice = 'Check that you passed the raw body and this endpoint’s secret.';
    throw new WebhookVerificationError(
      'signature_mismatch',
      `The signature does not match any of the given secrets. ${advice}`,
    );
  }
  return eventOf(body, header('webhook-id'));
}

/** Anyone can make an HMAC with an empty key, so anything that is not a secret is refused. */
function checkedSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) throw new TypeError('No signing secret was given');
  for (const secret of secrets) {
    if (!/^whsec_[A-Za-z0-9+/]{4,}={0,2}$/.test(secret)) {
      throw new TypeError('A signing secret is whsec_ followed by base64, as returned by POST /v1/webhooks');
    }
  }
  return secrets;
}

function checkTime(timestamp: string, options: ConstructOptions): void {
  // Strict digits: Number() would let ' 1760000000' pass for the text that was signed.
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed_header', 'The timestamp is not in whole seconds');
  }
  const { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 } = options;
  const age = Math.floor(nowSeconds) - Number(timestamp);
  const advice = 'a replay or a wrong clock';
  if (age > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old', `Signed ${age} s ago: ${advice}`);
  if (age < -toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_new', `Signed ${-age} s in the future: ${advice}`);
  }
}

function bytesOf(payload: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  // A copy: nobody can change what was verified before it is parsed.
  if (ArrayBuffer.isView(payload)) return Uint8Array.from(payload);
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]') return new Uint8Array(payload.slice(0));
  throw new TypeError('Pass the raw body: parsing and re-serializing it changes the signature');
}

function headerReader(headers: ReceivedHeaders): HeaderReader {
  // Not `instanceof`: frameworks bring their own Headers.
  if (typeof headers.get === 'function') return (name) => (headers as Headers).get(name) ?? undefined;
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    if (typeof value !== 'object') return value;
    if (value.length > 1) throw new WebhookVerificationError('malformed_header', `${name} is present more than once`);
    return value[0];
  };
}

function eventOf(body: Uint8Array, webhookId: string | undefined): WebhookEvent {
  let event: Partial<WebhookEvent> | null;
  try {
    event = JSON.parse(new TextDecoder().decode(body)) as Partial<WebhookEvent> | null;
  } catch {
    throw new WebhookVerificationError('malformed_payload', 'The body is signed but is not JSON');
  }
  // X-Service-Signature does not cover the webhook-id header; the body, which is signed, has the id too.
  const isEvent = typeof event?.id === 'string' && typeof event.type === 'string';
  if (!isEvent || (webhookId !== undefined && webhookId !== event?.id)) {
    throw new WebhookVerificationError('malformed_payload', 'The body is signed but does not match webhook-id');
  }
  return event as WebhookEvent;
}

/** Types that can arrive: those one subscribes to, and the test that one asks for. */
type MessageType = Delivery['event_type'];

/** A change of a list or of its entries, without any of its values. */
export interface ListChange {
  readonly name: string;
  readonly type: string;
  readonly effect: ListEffect;
  readonly change: 'created' | 'updated' | 'deleted' | 'entries';
  /** How many entries it added, updated and removed. */
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly changed_at: string;
  /** The person, or the ID of the key. `expiry`: entries that had expired were removed. */
  readonly changed_by: string;
}

/** A change of a rule: the version that it made. */
export interface RuleChange extends Omit<Rule, 'matches' | 'warnings'> {
  readonly change: 'created' | 'updated' | 'deleted';
}

/** The subject of each type. One that the API learns does not compile here until it has a row. */
interface EventData extends Record<MessageType, object> {
  'transaction.screened': Transaction;
  'transaction.decision.block': Transaction;
  'event.screened': ScreenedEvent;
  'case.created': Case;
  'case.resolved': Case;
  'decision.reviewed': Decision;
  'list.changed': ListChange;
  'rule.changed': RuleChange;
  'webhook.test': { readonly webhook_id: string; readonly text: string };
}

interface Message<Type extends MessageType> {
  /** `msg_…`: the same on every attempt. Remember the ones you have handled. */
  readonly id: string;
  readonly type: Type;
  readonly created_at: string;
  readonly api_version: string;
  /** False in the sandbox. */
  readonly livemode: boolean;
  /** The object as its GET would have answered when the event happened. */
  readonly data: EventData[Type];
}

/** A verified delivery; `switch (event.type)` narrows `event.data`. */
export type WebhookEvent = { [Type in MessageType]: Message<Type> }[MessageType];

/** The event of one type: `EventOf<'case.created'>`. */
export type EventOf<Type extends MessageType> = Message<Type>;
