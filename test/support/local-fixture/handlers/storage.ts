import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const Bucket = process.env.BUCKET_NAME;
const s3 = new S3Client({});

/** Puts or gets an object of the shared bucket, reads the secret, sends a job. */
export const handler = async ({ httpMethod, body }: { httpMethod: string; body: string }) => {
  if (httpMethod === 'PUT') {
    await s3.send(
      new PutObjectCommand({ Bucket, Key: 'models/some model.txt', Body: body, ContentType: 'text/plain' }),
    );
    return { statusCode: 204 };
  }
  if (httpMethod === 'POST') {
    await new SQSClient({}).send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: body }));
    return { statusCode: 202, body: '{}' };
  }
  const { Body: object, ContentType: type } = await s3.send(
    new GetObjectCommand({ Bucket, Key: 'models/some model.txt' }),
  );
  const secret = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: process.env.SECRET_ARN }),
  );
  return {
    statusCode: 200,
    body: JSON.stringify({ object: await object?.transformToString(), type, secret: secret.SecretString }),
  };
};
