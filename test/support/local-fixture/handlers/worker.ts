import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const client = new DynamoDBClient({});
const queue = new SQSClient({});

interface Record {
  readonly messageId: string;
  readonly body: string;
}

/** Counts each job it sees; a job that says `fail` is reported as failed, one that says `loop` comes back. */
export const handler = async ({ Records }: { Records: readonly Record[] }) => {
  const failed: string[] = [];
  for (const { messageId, body } of Records) {
    const { job, fail, loop } = JSON.parse(body) as { job: string; fail?: boolean; loop?: boolean };
    const ExpressionAttributeValues = { ':one': { N: '1' }, ':kind': { S: 'job' } };
    const UpdateExpression = 'ADD attempts :one SET kind = :kind';
    const Key = { pk: { S: `job#${job}` } };
    await client.send(
      new UpdateItemCommand({ TableName: process.env.TABLE_NAME, Key, UpdateExpression, ExpressionAttributeValues }),
    );
    if (loop) await queue.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: body }));
    if (fail) failed.push(messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
};
