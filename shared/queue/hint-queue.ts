import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import type { DelayedHint } from '../domain/webhooks/delivery-hint';

/** SQS takes at most ten messages per call. */
const BATCH = 10;
/** An entry that SQS could not take is sent once more; the sweep sends any that are still left. */
const TRIES = 2;

/** Sends queue messages for deliveries. */
export interface HintQueue {
  /** Resolves with how many could not be sent. Never rejects: the table is the source of truth for the sweep. */
  send(hints: readonly DelayedHint[]): Promise<number>;
}

function entriesOf(hints: readonly DelayedHint[]): SendMessageBatchRequestEntry[] {
  return hints.map(({ hint, delayMs }, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(hint),
    // The group makes a standard queue fair: one endpoint's backlog does not hold up the others.
    MessageGroupId: hint.webhook_id,
    DelaySeconds: Math.ceil(delayMs / 1000),
  }));
}

/** Sends queue messages through SQS. */
export function sqsHintQueue(client: SQSClient, queueUrl: string): HintQueue {
  async function sendBatch(hints: readonly DelayedHint[]): Promise<number> {
    let left = entriesOf(hints);
    for (let attempt = 1; attempt <= TRIES && left.length > 0; attempt++) {
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
    async send(hints) {
      const batches = Array.from({ length: Math.ceil(hints.length / BATCH) }, (_, index) =>
        hints.slice(index * BATCH, (index + 1) * BATCH),
      );
      const unsent = await Promise.all(batches.map(sendBatch));
      return unsent.reduce((sum, count) => sum + count, 0);
    },
  };
}
