import { createHash } from 'node:crypto';
import { type ApiVersion, NEWEST_API_VERSION } from '../api-version';
import type { ReviewCase } from '../cases/review-case';
import type { ListChange } from '../lists/list-definition';
import type { RuleVersion } from '../rules/rule-book';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import type { Stage } from '../stage';
import type { Trace } from '../traceparent';
import { encodeUlid, ULID_RANDOM_BYTES } from '../ulid';
import type { EventType, WebhookEndpoint } from './webhook-endpoint';

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

/** A committed change that merchants may want to hear of. */
export type Change =
  | { readonly kind: 'screened'; readonly account_id: string; readonly record: ScreeningRecord }
  | { readonly kind: 'reviewed'; readonly account_id: string; readonly record: ScreeningRecord }
  | { readonly kind: 'case_opened'; readonly account_id: string; readonly reviewCase: ReviewCase }
  | { readonly kind: 'case_resolved'; readonly account_id: string; readonly reviewCase: ReviewCase }
  | { readonly kind: 'list_changed'; readonly account_id: string; readonly listChange: ListChange }
  | { readonly kind: 'rule_changed'; readonly account_id: string; readonly version: RuleVersion };

/** Something to report to merchants, before it is known whether anyone is subscribed. */
export interface WebhookEvent {
  readonly type: MessageType;
  readonly account_id: string;
  /** The ULID of the subject (transaction, decision, case) or of the change of a list; the name of a rule. */
  readonly ulid: string;
  /** Distinguishes events of one type on one subject: the count of reviews, the version of a rule. */
  readonly number: number;
  readonly occurredAtMs: number;
  readonly trace?: Trace | undefined;
}

/** The events that a change fires. The expiry of a case is not a change: there is no event type for it. */
export function eventsOf(change: Change): WebhookEvent[] {
  switch (change.kind) {
    case 'screened': {
      const { account_id, record } = change;
      const { ulid, trace, screened_at_ms: occurredAtMs } = record;
      const occurred = { account_id, ulid, number: 0, occurredAtMs, trace };
      if (record.subject_type === 'event') return [{ ...occurred, type: 'event.screened' }];
      const screened = { ...occurred, type: 'transaction.screened' } as const;
      const blocked = { ...occurred, type: 'transaction.decision.block' } as const;
      return record.automated_decision === 'block' ? [screened, blocked] : [screened];
    }
    case 'reviewed': {
      const { account_id, record } = change;
      const occurredAtMs = Date.parse(record.review?.reviewed_at ?? '');
      const { ulid, trace, review_count: number } = record;
      const event = { account_id, ulid, number, occurredAtMs, trace };
      return [{ ...event, type: 'decision.reviewed' }];
    }
    case 'case_opened': {
      const { account_id, reviewCase } = change;
      const { ulid, trace, created_at_ms: occurredAtMs } = reviewCase;
      return [{ account_id, ulid, number: 0, occurredAtMs, trace, type: 'case.created' }];
    }
    case 'case_resolved': {
      const { account_id, reviewCase } = change;
      const { ulid, trace, resolved_at } = reviewCase;
      const occurredAtMs = Date.parse(resolved_at ?? '');
      return [{ account_id, ulid, number: 0, occurredAtMs, trace, type: 'case.resolved' }];
    }
    case 'list_changed': {
      const { account_id, listChange } = change;
      const occurredAtMs = Date.parse(listChange.changed_at);
      return [{ account_id, ulid: listChange.ulid, number: 0, occurredAtMs, type: 'list.changed' }];
    }
    case 'rule_changed': {
      const { account_id, version } = change;
      const occurredAtMs = Date.parse(version.updated_at);
      return [{ account_id, ulid: version.name, number: version.version, occurredAtMs, type: 'rule.changed' }];
    }
    default:
      return change satisfies never;
  }
}

// Clocks of two machines differ by milliseconds: an endpoint registered first must never appear to be later.
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether an endpoint receives an event: enabled, subscribed, and registered when it happened. */
export const listensTo = (endpoint: WebhookEndpoint, { type, occurredAtMs }: WebhookEvent): boolean =>
  endpoint.status === 'enabled' &&
  endpoint.events.some((subscribed) => subscribed === type) &&
  Date.parse(endpoint.created_at) <= occurredAtMs + CLOCK_TOLERANCE_MS;

/** A message as stored: the exact bytes of every delivery attempt. */
export interface StoredMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly event_type: MessageType;
  readonly created_at: string;
  readonly body: Uint8Array;
  /** Sent along as `traceparent`, not signed. @default none */
  readonly trace?: Trace;
}

/**
 * Freezes an event into the message that merchants receive; the same event always gives the same id. `data` is the
 * object as its GET returned it when the event occurred.
 */
export function messageOf(event: WebhookEvent, data: object, stage: Stage): StoredMessage {
  const { type, account_id, ulid, number, occurredAtMs, trace } = event;
  const created_at = new Date(occurredAtMs).toISOString();
  const id = derivedId('msg', occurredAtMs, account_id, type, ulid, number);
  const livemode = stage === 'production';
  const message = serialiseMessage({ id, type, created_at, api_version: NEWEST_API_VERSION, livemode, data });
  if (message.kind === 'too_large') throw new Error(`A message of ${message.byteLength} bytes exceeds the limit`);
  const stored = { message_id: id, account_id, event_type: type, created_at, body: message.bytes };
  return trace === undefined ? stored : { ...stored, trace };
}
