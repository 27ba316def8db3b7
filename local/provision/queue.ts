import type { AwsClient } from '../backends/aws-client';
import type { StackResource } from '../template/types';

/** Template properties that are queue attributes of the same name; encryption has no meaning in memory. */
const ATTRIBUTES: readonly string[] = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
];

/** The queue attributes of a template's queue, as CreateQueue takes them: strings, the redrive policy as JSON. */
export function queueAttributes(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (const name of ATTRIBUTES) {
    const value = properties[name];
    if (value === undefined) continue;
    attributes[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return attributes;
}

/** Creates the queue and returns its URL in the emulator; functions use a URL that leads to the front. */
export async function provisionQueue(client: AwsClient, resource: StackResource): Promise<string> {
  const input = { QueueName: resource.attribute('QueueName'), Attributes: queueAttributes(resource.properties) };
  return (await client.call<{ QueueUrl: string }>('AmazonSQS.CreateQueue', input)).QueueUrl;
}
