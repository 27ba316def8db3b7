import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** The messages that SQS gave up on. */
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
