import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Sealer } from '../../domain/sealer';
import {
  DELIVERY_RETENTION_MS,
  type Delivery,
  type DeliveryRef,
  type DeliveryState,
  type DeliveryStatus,
  type DeliveryStep,
  type Pending,
  type PendingDelivery,
  watchAtMs,
} from '../../domain/webhooks/delivery';
import type { QueuedDeliveries, QueueMessage } from '../../domain/webhooks/queue-message';
import type { StoredMessage } from '../../domain/webhooks/webhook-event';
import { DELIVERY_DUE_SHARDS, deliveryDuePk, deliveryDueShard, deliveryKey, messageKey, webhookKey } from '../keys';
import { batchGet } from '../sdk/batch-get';
import { falseIfRefused, reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { getItem, queryDue } from '../sdk/table-calls';
import { unpackMessage } from './packed-message';
import { openEndpoint } from './webhook-store';

/** In seconds, as DynamoDB's TTL expects. */
export const ttlFrom = (ms: number): number => Math.ceil((ms + DELIVERY_RETENTION_MS) / 1000);

/** A message is written once and never changed: every delivery attempt signs the same bytes. */
export const messagePut = (table: Table, message: StoredMessage, nowMs: number) => ({
  TableName: table.name,
  Item: {
    ...messageKey(message.account_id, message.message_id),
    entity: 'message',
    ...message,
    ttl: ttlFrom(nowMs),
  },
  ConditionExpression: 'attribute_not_exists(pk)',
});

export function messageWriter(table: Table) {
  return {
    /** Stores the message, unless it exists already: then the existing one stays. */
    async insert(message: StoredMessage, nowMs: number): Promise<void> {
      const command = new PutCommand(messagePut(table, message, nowMs));
      await reach(() => table.client.send(command)).catch(falseIfRefused);
    },
  };
}

export function toMessage(item: Record<string, unknown>): StoredMessage {
  const { message_id, account_id, event_type, created_at, body, trace } = item as unknown as StoredMessage;
  const message = { message_id, account_id, event_type, created_at, body };
  return trace === undefined ? message : { ...message, trace };
}

export const ulidOfDelivery = (deliveryId: string): string => deliveryId.slice('dlv_'.length);

export const keyOf = ({ account_id, webhook_id, delivery_id }: DeliveryRef): Key =>
  deliveryKey(account_id, webhook_id, ulidOfDelivery(delivery_id));

const iso = (ms: number): string => new Date(ms).toISOString();

/** The put of a new delivery, which fails if one with this ID exists. */
export function deliveryPut(table: Table, delivery: PendingDelivery, nowMs: number) {
  const { state, ...rest } = delivery;
  return {
    TableName: table.name,
    Item: {
      ...keyOf(delivery),
      entity: 'delivery',
      ...rest,
      ...state,
      due_pk: deliveryDuePk(deliveryDueShard(ulidOfDelivery(delivery.delivery_id))),
      due_sk: iso(watchAtMs(state, nowMs)),
      ttl: ttlFrom(nowMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}

const STATE_MEMBERS = {
  pending: ['next_attempt_at', 'lease_until'],
  delivered: ['completed_at'],
  failed: ['completed_at', 'reason'],
  cancelled: ['completed_at', 'reason'],
} as const satisfies Record<DeliveryStatus, readonly string[]>;

export function toDelivery(item: Record<string, unknown>): Delivery {
  const { delivery_id, account_id, webhook_id, message_id, event_type, created_at, origin, redelivery_of, attempts } =
    item as unknown as Delivery;
  const { status, attempt } = item as unknown as DeliveryState;
  const members = STATE_MEMBERS[status].map((name) => [name, item[name]]);
  const state = { status, attempt, ...Object.fromEntries(members) } as DeliveryState;
  const ids = { delivery_id, account_id, webhook_id, message_id, event_type };
  const packed = item.packed as Uint8Array | undefined;
  const carried = packed === undefined ? {} : { packed };
  return { ...ids, created_at, origin, redelivery_of, state, attempts, ...carried };
}

/**
 * The update that advances a pending delivery by one step, provided that nobody else has: every step changes the
 * attempt number, the due time or the status, so these three are the fence.
 */
export function stepParams(table: Table, before: PendingDelivery, step: DeliveryStep) {
  const { after, record, lookAtMs, requeues, watchedAt } = step;
  const { next_attempt_at, lease_until, completed_at, reason } = after as Partial<
    Pending & { completed_at: string; reason: string }
  >;
  const set: Record<string, unknown> = { status: after.status, attempt: after.attempt };
  const remove: string[] = [];
  const put = (name: string, value: unknown): void => {
    if (value === undefined) remove.push(name);
    else set[name] = value;
  };
  put('next_attempt_at', next_attempt_at);
  put('lease_until', lease_until);
  put('completed_at', completed_at);
  put('reason', reason);
  put('requeues', requeues);
  if (after.status !== 'pending') remove.push('due_pk', 'due_sk');
  else if (lookAtMs !== undefined) set.due_sk = iso(lookAtMs);
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  if (record) assignments.push('attempts = list_append(attempts, :record)');
  return {
    TableName: table.name,
    Key: keyOf(before),
    UpdateExpression: [
      `SET ${assignments.join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: [
      '#status = :was_status AND #attempt = :was_attempt AND #next_attempt_at = :was_due',
      ...(watchedAt === undefined ? [] : ['due_sk = :watched']),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      [...Object.keys(set), ...remove, 'next_attempt_at'].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...(record ? { ':record': [record] } : {}),
      ':was_status': before.state.status,
      ':was_attempt': before.state.attempt,
      ':was_due': before.state.next_attempt_at,
      ...(watchedAt === undefined ? {} : { ':watched': watchedAt }),
    },
  };
}

export function deliveryWriter(table: Table) {
  return {
    /** Whether it is new: an existing one keeps its state, whatever that is. */
    async insert(delivery: PendingDelivery, nowMs: number): Promise<boolean> {
      const command = new PutCommand(deliveryPut(table, delivery, nowMs));
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}

export function deliveryReader(table: Table) {
  return {
    async find(ref: DeliveryRef): Promise<Delivery | undefined> {
      const item = await getItem(table, keyOf(ref));
      return item && toDelivery(item);
    },
  };
}

export function queuedDeliveryReader(table: Table, sealer: Sealer) {
  const messageOf = ({ account_id, message_id }: QueueMessage): Key => messageKey(account_id, message_id);
  const endpointOf = ({ account_id, webhook_id }: QueueMessage): Key => webhookKey(account_id, webhook_id);
  return {
    /** Deliveries, messages that have their own item, and endpoints, in one call. */
    async load(queueMessages: readonly QueueMessage[]): Promise<QueuedDeliveries> {
      const itemOf = await batchGet(
        table,
        queueMessages.flatMap((queueMessage) => [
          keyOf(queueMessage),
          ...(queueMessage.is_packed ? [] : [messageOf(queueMessage)]),
          endpointOf(queueMessage),
        ]),
      );
      return {
        delivery(queueMessage) {
          const item = itemOf(keyOf(queueMessage));
          const delivery = item && toDelivery(item);
          if (delivery?.packed) return { delivery, message: unpackMessage(delivery, delivery.packed) };
          const message = queueMessage.is_packed ? undefined : itemOf(messageOf(queueMessage));
          return { delivery, message: message && toMessage(message) };
        },
        async endpoint(accountId, webhookId) {
          const item = itemOf(webhookKey(accountId, webhookId));
          return item && openEndpoint(sealer, accountId, item);
        },
      };
    },
  };
}

export function deliveryStepper(table: Table) {
  return {
    /** Whether the step was taken; false if somebody else has advanced the delivery in the meantime. */
    async step(before: PendingDelivery, step: DeliveryStep): Promise<boolean> {
      const command = new UpdateCommand(stepParams(table, before, step));
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}

export const DUE_SHARDS: readonly number[] = Array.from({ length: DELIVERY_DUE_SHARDS }, (_, shard) => shard);

export interface WatchedDelivery {
  readonly delivery: Delivery;
  readonly requeues: number;
  readonly watchAt: string;
}

export function deliveryWatch(table: Table) {
  const watched = (item: Record<string, unknown> | undefined, now: string): WatchedDelivery[] => {
    const watchAt = item?.due_sk as string | undefined;
    // The index lags behind: deliveries that are finished by now may still be in it.
    if (!item || watchAt === undefined || watchAt > now) return [];
    return [{ delivery: toDelivery(item), requeues: (item.requeues as number) ?? 0, watchAt }];
  };
  return {
    /** Deliveries of a shard that are due for a look, the most overdue first; each is read again from the table. */
    async due(shard: number, nowMs: number, limit: number): Promise<{ found: number; due: WatchedDelivery[] }> {
      const now = new Date(nowMs).toISOString();
      const items = await queryDue(table, deliveryDuePk(shard), nowMs, limit);
      const itemOf = await batchGet(table, items as Key[]);
      return { found: items.length, due: items.flatMap((item) => watched(itemOf(item as Key), now)) };
    },
  };
}
