import type { Delivery } from './delivery';
import type { SecretEndpoint } from './webhook-endpoint';
import type { Change, StoredMessage } from './webhook-event';

/**
 * A queue message: a delivery may be due. Ids only, since SQS refuses characters that JSON leaves
 * unescaped, and what is stored is the source of truth anyway.
 */
export interface QueueMessage {
  readonly account_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly message_id: string;
  /** The number of delivery attempts begun when the message was sent: it is void once there are more. */
  readonly attempt: number;
  /** How often the delivery found its endpoint busy. */
  readonly parked?: number;
  /** The delivery contains its message: there is no other item to read. */
  readonly is_packed?: true;
}

/** A queue message, and how long the queue should delay it. */
export interface DelayedMessage {
  readonly queueMessage: QueueMessage;
  readonly delayMs: number;
}

/** The delivery that a queue message refers to. */
export interface QueuedDelivery {
  readonly delivery: Delivery | undefined;
  readonly message: StoredMessage | undefined;
}

/** The deliveries that a batch of queue messages refers to. An error of one item is thrown when that one is requested. */
export interface QueuedDeliveries {
  delivery(queueMessage: QueueMessage): QueuedDelivery;
  /** With its secrets opened. */
  endpoint(accountId: string, webhookId: string): Promise<SecretEndpoint | undefined>;
}

export function queueMessageOf(delivery: Delivery): QueueMessage {
  const { account_id, webhook_id, delivery_id, message_id, state, packed } = delivery;
  const ids = { account_id, webhook_id, delivery_id, message_id };
  return { ...ids, attempt: state.attempt, ...(packed === undefined ? {} : { is_packed: true }) };
}

const ID = /^(wh|dlv|msg)_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Reads a queue message; throws if it is not one of ours, so that it ends up in the dead-letter queue. */
export function parseQueueMessage(body: string): QueueMessage {
  const parsed = JSON.parse(body) as QueueMessage;
  const { account_id, webhook_id, delivery_id, message_id, attempt, parked, is_packed } = parsed;
  const ids = { webhook_id, delivery_id, message_id };
  const areIds = typeof account_id === 'string' && Object.values(ids).every((id) => ID.test(id));
  if (!areIds || !Number.isSafeInteger(attempt)) throw new Error('Not a delivery queue message');
  return {
    ...{ account_id, ...ids, attempt },
    ...(parked === undefined ? {} : { parked: Number(parked) || 0 }),
    ...(is_packed === true ? { is_packed } : {}),
  };
}

/** The task that a change record gives the relay. */
export type RelayOrder =
  | { readonly kind: 'publish'; readonly change: Change }
  /** A delivery that a request created: only its queue message is missing. */
  | { readonly kind: 'queue'; readonly queueMessage: QueueMessage };

// A screening keeps its original time if a retry finishes it, up to 24 hours later (the life of an Idempotency-Key).
const NEWS_MS = 25 * 3_600_000;

function happenedAtMs(change: Change): number {
  if (change.kind === 'screened') return change.record.screened_at_ms;
  if (change.kind === 'case_opened') return change.reviewCase.created_at_ms;
  if (change.kind === 'reviewed') return Date.parse(change.record.review?.reviewed_at ?? '');
  if (change.kind === 'list_changed') return Date.parse(change.listChange.changed_at);
  if (change.kind === 'rule_changed') return Date.parse(change.version.updated_at);
  return Date.parse(change.reviewCase.resolved_at ?? '');
}

/** Whether a change was written long after it happened: a backup was restored, and nobody wants to hear it again. */
export const isRestored = (order: RelayOrder, committedAtMs: number): boolean =>
  order.kind === 'publish' && committedAtMs - happenedAtMs(order.change) > NEWS_MS;
