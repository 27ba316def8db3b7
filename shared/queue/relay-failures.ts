import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** A record that could not be relayed, and the way to be rid of it. */
export interface SetAsideRecord<Raw> {
  readonly raw: Raw;
  remove(): Promise<void>;
}

/**
 * Change records that could not be relayed, whole, so that they can be relayed long after the stream has forgotten
 * them. In base64: SQS refuses some characters that a merchant may well have sent.
 */
export function relayFailures<Raw>(client: SQSClient, queueUrl: string) {
  return {
    async put(raw: Raw): Promise<void> {
      const MessageBody = JSON.stringify({ record: Buffer.from(JSON.stringify(raw)).toString('base64') });
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
    },

    /** Up to ten of them; what is not removed shows up again later. */
    async take(): Promise<SetAsideRecord<Raw>[]> {
      const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
      const { Messages: messages = [] } = await client.send(command);
      return messages.flatMap(({ Body = '{}', ReceiptHandle }) => {
        const { record } = JSON.parse(Body) as { record?: string };
        // Lambda puts something else here when it gives up on the function itself: where the records were.
        if (record === undefined) return [];
        const remove = async (): Promise<void> => {
          await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        };
        return [{ raw: JSON.parse(Buffer.from(record, 'base64').toString()), remove }];
      });
    },
  };
}
