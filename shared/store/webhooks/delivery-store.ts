import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Sealer } from '../../domain/sealer';
import type { Delivery, DeliveryRef, DeliveryStep, PendingDelivery } from '../../domain/webhooks/delivery';
import type { QueuedDeliveries, QueueMessage } from '../../domain/webhooks/queue-message';
import { DELIVERY_DUE_SHARDS, DUE_INDEX, deliveryDuePk, messageKey, webhookKey } from '../keys';
import { batchGet } from '../sdk/batch-get';
import { falseIfRefused, reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { deliveryPut, keyOf, stepParams, toDelivery } from './delivery-items';
import { toMessage } from './message-store';
import { unpackMessage } from './packed-message';
import { openEndpoint } from './webhook-store';

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
      const command = new GetCommand({ TableName: table.name, Key: { ...keyOf(ref) }, ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
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
      const command = new QueryCommand({
        TableName: table.name,
        IndexName: DUE_INDEX,
        KeyConditionExpression: 'due_pk = :pk AND due_sk <= :now',
        ExpressionAttributeValues: { ':pk': deliveryDuePk(shard), ':now': now },
        ConsistentRead: false,
        Limit: limit,
      });
      const { Items: items = [] } = await reach(() => table.client.send(command));
      const itemOf = await batchGet(table, items as Key[]);
      return { found: items.length, due: items.flatMap((item) => watched(itemOf(item as Key), now)) };
    },
  };
}
