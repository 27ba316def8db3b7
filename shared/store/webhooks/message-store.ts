import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { DELIVERY_RETENTION_MS } from '../../domain/webhooks/delivery';
import type { StoredMessage } from '../../domain/webhooks/webhook-event';
import { messageKey } from '../keys';
import { falseIfRefused, reach, type Table } from '../sdk/client';

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
