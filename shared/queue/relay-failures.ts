import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface SetAsideRecord<Raw> {
  readonly raw: Raw;
  remove(): Promise<void>;
}

/**
 * Complete change records that could not be relayed, to be relayed even long after the stream has dropped
 * them. In base64, because SQS refuses some characters that a merchant may well have sent.
 */
export function relayFailures<Raw>(client: SQSClient, queueUrl: string) {
  return {
    async put(raw: Raw): Promise<void> {
      const MessageBody = JSON.stringify({ record: Buffer.from(JSON.stringify(raw)).toString('base64') });
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
    },

    /** Up to ten of them; those not removed show up again later. */
    async take(): Promise<SetAsideRecord<Raw>[]> {
      const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
      const { Messages: messages = [] } = await client.send(command);
      return messages.flatMap(({ Body = '{}', ReceiptHandle }) => {
        const { record } = JSON.parse(Body) as { record?: string };
        // When Lambda gives up on the function itself it puts something else here: the position of the records.
        if (record === undefined) return [];
        const remove = async (): Promise<void> => {
          await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        };
        return [{ raw: JSON.parse(Buffer.from(record, 'base64').toString()), remove }];
      });
    },
  };
}

export function deadLetters(client: SQSClient, queueUrl: string) {
  return {
    /** Up to ten of them; those not removed show up again later. */
    async take(): Promise<{ id: string; body: string; remove(): Promise<void> }[]> {
      const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
      const { Messages: messages = [] } = await client.send(command);
      return messages.map(({ MessageId: id = '', Body: body = '', ReceiptHandle }) => ({
        id,
        body,
        remove: async () => {
          await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        },
      }));
    },
  };
}
