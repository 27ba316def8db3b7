import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import type { DelayedMessage } from '../domain/webhooks/queue-message';

/** SQS takes at most ten messages per call. */
const BATCH = 10;
/** An entry that SQS could not take is sent once more; the sweep sends any that are still left. */
const TRIES = 2;

export interface DeliveryQueue {
  /** Resolves with how many could not be sent. Never rejects: the table is the source of truth for the sweep. */
  send(queueMessages: readonly DelayedMessage[]): Promise<number>;
}

function entriesOf(queueMessages: readonly DelayedMessage[]): SendMessageBatchRequestEntry[] {
  return queueMessages.map(({ queueMessage, delayMs }, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(queueMessage),
    // The group makes a standard queue fair: one endpoint's backlog does not hold up the others.
    MessageGroupId: queueMessage.webhook_id,
    DelaySeconds: Math.ceil(delayMs / 1000),
  }));
}

export function sqsDeliveryQueue(client: SQSClient, queueUrl: string): DeliveryQueue {
  async function sendBatch(queueMessages: readonly DelayedMessage[]): Promise<number> {
    let left = entriesOf(queueMessages);
    for (let tryNumber = 1; tryNumber <= TRIES && left.length > 0; tryNumber++) {
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left });
      // SQS returns 200 with failures inside; after an error the fate of the entries is unknown, so all are sent again.
      const failed = await client.send(command).then(
        ({ Failed = [] }) => new Set(Failed.map(({ Id }) => Id)),
        () => undefined,
      );
      if (failed) left = left.filter(({ Id }) => failed.has(Id));
    }
    return left.length;
  }

  return {
    async send(queueMessages) {
      const batches = Array.from({ length: Math.ceil(queueMessages.length / BATCH) }, (_, index) =>
        queueMessages.slice(index * BATCH, (index + 1) * BATCH),
      );
      const unsent = await Promise.all(batches.map(sendBatch));
      return unsent.reduce((sum, count) => sum + count, 0);
    },
  };
}
