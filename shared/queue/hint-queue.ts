import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, type SQSClient } from '@aws-sdk/client-sqs';
import type { DelayedHint } from '../domain/webhooks/delivery-hint';

/** SQS takes at most ten messages a call. */
const BATCH = 10;
/** An entry that SQS could not take is offered once more; what is left then is the sweep's to send. */
const TRIES = 2;

/** Sends hints to a queue of deliveries. */
export interface HintQueue {
  /** Resolves with how many could not be sent. It never rejects: the table holds the truth, and the sweep reads it. */
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

/** A queue of hints behind SQS. */
export function sqsHintQueue(client: SQSClient, queueUrl: string): HintQueue {
  async function sendBatch(hints: readonly DelayedHint[]): Promise<number> {
    let left = entriesOf(hints);
    for (let attempt = 1; attempt <= TRIES && left.length > 0; attempt++) {
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left });
      // SQS answers 200 with failures inside; an error leaves open what became of them, so that all are sent again.
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
