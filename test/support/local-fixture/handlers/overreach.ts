import { DeleteItemCommand, DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const TableName = process.env.TABLE_NAME;
const Key = { pk: { S: 'tenant#other' } };

const CALLS: Record<string, () => Promise<unknown>> = {
  delete: () => new DynamoDBClient({}).send(new DeleteItemCommand({ TableName, Key })),
  transact: () =>
    new DynamoDBClient({}).send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: { pk: { S: 'tenant#own' } } } },
          { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
        ],
      }),
    ),
  'foreign-key': () =>
    new DynamoDBClient({}).send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: Key } }] })),
  'own-key': () =>
    new DynamoDBClient({}).send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: { pk: { S: 'tenant#own' } } } }] }),
    ),
  s3: () => new S3Client({}).send(new GetObjectCommand({ Bucket: process.env.BUCKET_NAME, Key: 'models/champion' })),
  sqs: () => new SQSClient({}).send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: 'x' })),
};

/** Makes calls it has no grant for, and answers with the error the SDK made of the refusal. */
export const handler = async ({ queryStringParameters }: { queryStringParameters: { call: string } }) => {
  try {
    await CALLS[queryStringParameters.call]?.();
    return { statusCode: 200, body: '{"allowed":true}' };
  } catch (error) {
    const { name, message } = error as Error;
    return { statusCode: 200, body: JSON.stringify({ name, message }) };
  }
};
