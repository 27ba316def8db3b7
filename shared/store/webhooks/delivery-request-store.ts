import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import type { PendingDelivery } from '../../domain/webhooks/delivery';
import type { StoredMessage } from '../../domain/webhooks/webhook-event';
import { recordAnswerItem, unsealed } from '../idempotency-store';
import { messageKey } from '../keys';
import type { Table } from '../sdk/client';
import { type TransactItem, transact } from '../sdk/transact';
import { deliveryPut, messagePut, ttlFrom } from './delivery-store';

/** Deliveries that a merchant asks for. They commit with the response; the relay reads the stream and queues them. */
export function deliveryRequestStore(table: Table) {
  async function commit(
    message: TransactItem | undefined,
    delivery: PendingDelivery,
    nowMs: number,
    record?: IdempotencyRecord,
  ): Promise<boolean> {
    const claim = record ? [await recordAnswerItem(unsealed, delivery.account_id, record, nowMs)] : [];
    const stored = [...(message ? [message] : []), { Put: deliveryPut(table, delivery, nowMs) }];
    const outcome = await transact(table, [...stored, ...claim]);
    if (outcome.committed) return true;
    if (outcome.failed.includes(stored.length)) throw new ClaimTaken();
    return false;
  }

  const messageKept = ({ account_id, message_id }: PendingDelivery, nowMs: number): TransactItem => ({
    Update: {
      Key: messageKey(account_id, message_id),
      UpdateExpression: 'SET #ttl = :ttl',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':ttl': ttlFrom(nowMs) },
    },
  });

  return {
    /** Whether the message still exists; if so, it is kept for as long as its new delivery. */
    redeliver: (delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord): Promise<boolean> =>
      commit(delivery.packed ? undefined : messageKept(delivery, nowMs), delivery, nowMs, record),

    async insert(
      message: StoredMessage,
      delivery: PendingDelivery,
      nowMs: number,
      record?: IdempotencyRecord,
    ): Promise<void> {
      const isNew = await commit({ Put: messagePut(table, message, nowMs) }, delivery, nowMs, record);
      if (!isNew) throw new Error('A message with this id exists already');
    },
  };
}
