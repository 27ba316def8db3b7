import type { AwsClient } from '../backends/aws-client';
import type { AwsMetrics } from './aws-metrics';

const EVERY_MS = 5_000;

/** Measures the depth of every queue now and then; returns a function that stops it. */
export function watchQueues(client: AwsClient, urls: ReadonlyMap<string, string>, metrics: AwsMetrics): () => void {
  const look = async (name: string, url: string): Promise<void> => {
    const { Attributes: attributes } = (await client.call('AmazonSQS.GetQueueAttributes', {
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages'],
    })) as { Attributes?: { ApproximateNumberOfMessages?: string } };
    metrics.queueDepth(name, Number(attributes?.ApproximateNumberOfMessages ?? 0));
  };
  const lookAtAll = (): void => {
    // A queue that does not answer has no depth, which shows as a gap in the graph.
    void Promise.allSettled([...urls].map(([name, url]) => look(name, url)));
  };
  lookAtAll();
  const timer = setInterval(lookAtAll, EVERY_MS);
  return () => clearInterval(timer);
}
