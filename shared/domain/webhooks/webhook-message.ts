import { createHash } from 'node:crypto';
import type { ApiVersion } from '../api-version';
import { encodeUlid, ULID_RANDOM_BYTES } from '../ulid';
import type { EventType } from './webhook-endpoint';

/** Types of messages: the events, and the test that a merchant requests and nobody subscribes to. */
export type MessageType = EventType | 'webhook.test';

/** The body that a merchant receives; `data` is the object as its GET would return it. */
export interface WebhookMessage {
  /** `msg_…`, the same for every endpoint and every delivery attempt. */
  readonly id: string;
  readonly type: MessageType;
  readonly created_at: string;
  readonly api_version: ApiVersion;
  readonly livemode: boolean;
  readonly data: object;
}

export const MAX_MESSAGE_BYTES = 65_536;

export type SerialisedMessage =
  | { readonly kind: 'message'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly byteLength: number };

/**
 * The bytes of a message. Called once, when the message is created: what is stored is what is signed and sent on every
 * attempt, so a receiver sees the same body each time. `JSON.stringify` escapes lone surrogates, so the bytes
 * are valid UTF-8 and survive being stored as text.
 */
export function serialiseMessage(message: WebhookMessage): SerialisedMessage {
  // Member by member: the order is part of the bytes, and extra members of the caller's object must not be sent.
  const { id, type, created_at, api_version, livemode, data } = message;
  const bytes = new TextEncoder().encode(JSON.stringify({ id, type, created_at, api_version, livemode, data }));
  if (bytes.byteLength > MAX_MESSAGE_BYTES) return { kind: 'too_large', byteLength: bytes.byteLength };
  return { kind: 'message', bytes };
}

/**
 * An id derived from what it stands for: a change record that is read twice makes the same message and the same
 * deliveries, and the second write finds the first. 80 bits of a hash replace a ULID's randomness.
 */
export function derivedId(prefix: 'msg' | 'dlv', timeMs: number, ...parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return `${prefix}_${encodeUlid(timeMs, digest.subarray(0, ULID_RANDOM_BYTES))}`;
}
