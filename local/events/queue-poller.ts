import type { AwsClient } from '../backends/aws-client';
import { type Lineage, MAX_HOPS, splitLineage } from '../lambda/logs';
import type { Mapping } from './mapping';
import type { Poller } from './stream-poller';
import { batchResult } from './stream-reader';

interface Received {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly MD5OfBody: string;
  readonly Body: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<
    Record<string, { readonly DataType: string; readonly StringValue?: string; readonly BinaryValue?: string }>
  >;
}

export interface QueuePollerDeps {
  readonly mapping: Mapping;
  readonly client: AwsClient;
  readonly queueUrl: string;
  /** Where messages of a stopped loop go, if the queue has a dead-letter queue. */
  readonly deadLettersUrl: string | undefined;
  readonly region: string;
  report(problem: string): void;
}

const MAX_RECEIVE = 10;
const LONG_POLL_SECONDS = 20;

export function sqsRecord(message: Received, arn: string, region: string) {
  const attributes = Object.entries(splitLineage(message.MessageAttributes).attributes).map(([name, value]) => [
    name,
    {
      ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
      ...(value.BinaryValue === undefined ? {} : { binaryValue: value.BinaryValue }),
      stringListValues: [],
      binaryListValues: [],
      dataType: value.DataType,
    },
  ]);
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(attributes) as Record<string, unknown>,
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: region,
  };
}

type SqsRecord = ReturnType<typeof sqsRecord>;

/** Polls a queue and invokes the function with batches, several at a time; deletes processed messages. */
export function startQueuePoller(deps: QueuePollerDeps): Poller {
  const { mapping, client, queueUrl, region, report } = deps;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const lineages = new WeakMap<SqsRecord, Lineage>();

  const receive = async (limit: number, waitSeconds: number): Promise<readonly SqsRecord[]> => {
    const input = {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(limit, MAX_RECEIVE),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    };
    const { Messages: messages = [] } = await client.call<{ Messages?: readonly Received[] }>(
      'AmazonSQS.ReceiveMessage',
      input,
      stopping.signal,
    );
    return messages.map((message) => {
      const record = sqsRecord(message, mapping.sourceArn, region);
      lineages.set(record, splitLineage(message.MessageAttributes).lineage);
      return record;
    });
  };

  const remove = async (records: readonly SqsRecord[]): Promise<void> => {
    for (let start = 0; start < records.length; start += MAX_RECEIVE) {
      const entries = records.slice(start, start + MAX_RECEIVE);
      await client.call('AmazonSQS.DeleteMessageBatch', {
        QueueUrl: queueUrl,
        Entries: entries.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle })),
      });
    }
  };

  const gather = async (): Promise<readonly SqsRecord[]> => {
    const batch = [...(await receive(mapping.batchSize, LONG_POLL_SECONDS))];
    const until = Date.now() + mapping.windowMs;
    while (batch.length > 0 && batch.length < mapping.batchSize && !stopping.signal.aborted) {
      const waitSeconds = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
      // Batches over ten take several receives even without a window.
      if (waitSeconds === 0 && batch.length % MAX_RECEIVE !== 0) break;
      const more = await receive(mapping.batchSize - batch.length, waitSeconds);
      batch.push(...more);
      if (more.length === 0 && waitSeconds === 0) break;
    }
    return batch;
  };

  /** Lambda does not invoke a function for an event that has passed through it too often, unless that is allowed. */
  const withoutLoops = async (records: readonly SqsRecord[]): Promise<readonly SqsRecord[]> => {
    const { name, mayLoop } = mapping.target.config;
    const loops = (record: SqsRecord): boolean => !mayLoop && (lineages.get(record)?.get(name) ?? 0) >= MAX_HOPS;
    const looping = records.filter(loops);
    if (looping.length === 0) return records;
    report(
      `LOOP STOPPED  ${name} got ${looping.length} message(s) that had come through it ${MAX_HOPS} times: set RecursiveLoop to Allow if that is meant`,
    );
    for (const { body } of looping) {
      if (deps.deadLettersUrl) {
        await client.call('AmazonSQS.SendMessage', { QueueUrl: deps.deadLettersUrl, MessageBody: body });
      }
    }
    await remove(looping);
    return records.filter((record) => !loops(record));
  };

  const process = async (batch: readonly SqsRecord[]): Promise<void> => {
    const going = await withoutLoops(batch);
    if (going.length === 0) return;
    const before = going.flatMap((record) => lineages.get(record) ?? []);
    const outcome = await mapping.target.invoke({ Records: going }, before);
    const result = batchResult(
      outcome,
      going.map(({ messageId }) => messageId),
      mapping.reportsFailures,
    );
    // Failed messages stay: they reappear after their visibility timeout and finally move to the dead-letter queue.
    if (result === 'failed') return;
    await remove(result === 'succeeded' ? going : going.filter(({ messageId }) => !result.failed.has(messageId)));
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if (inFlight.size >= mapping.maxConcurrency) {
          await Promise.race(inFlight);
          continue;
        }
        const batch = await gather();
        if (batch.length === 0) continue;
        const task: Promise<void> = process(batch)
          .catch((error: unknown) => report(`a batch for ${mapping.target.config.name} failed: ${String(error)}`))
          .finally(() => inFlight.delete(task));
        inFlight.add(task);
      } catch (error) {
        if (stopping.signal.aborted) return;
        report(`polling the queue for ${mapping.target.config.name} failed: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  };

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.allSettled([running, ...inFlight]);
    },
  };
}
