import { SQSClient } from '@aws-sdk/client-sqs';

export const openQueues = (): SQSClient =>
  new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
