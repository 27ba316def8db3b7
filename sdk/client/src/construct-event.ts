import type { WebhookEvent } from './webhook-event';
import { type HeaderReader, isSigned, serviceSignature, standardSignature } from './webhook-signature';
import { WebhookVerificationError } from './webhook-verification-error';

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
  // Every secret is tried, so that time tells nothing of which it was; one secret must make all the signatures.
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
  // Not `instanceof`: frameworks bring Headers of their own.
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
