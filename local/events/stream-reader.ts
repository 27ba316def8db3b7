import type { AwsClient } from '../backends/aws-client';
import { readJsonFile, writeJsonFile } from '../data-directory';
import type { InvocationOutcome } from '../lambda/lambda-function';
import type { Mapping } from './mapping';

/** Marks a shard whose last record has been processed. */
export const DONE = 'DONE';

/** How far a mapping has read in each shard of a stream. */
export interface Checkpoints {
  readonly resumed: boolean;
  /** Sequence number of the last completed record, `DONE`, or undefined for a shard never read. */
  get(shardId: string): string | undefined;
  set(shardId: string, position: string): void;
  keepOnly(shardIds: readonly string[]): void;
}

interface Stored {
  readonly streamArn: string;
  readonly shards: Readonly<Record<string, string>>;
}

export function checkpoints(file: string | undefined, streamArn: string): Checkpoints {
  const stored = file === undefined ? undefined : readJsonFile<Stored | undefined>(file, undefined);
  const resumed = stored?.streamArn === streamArn;
  let shards: Readonly<Record<string, string>> = resumed ? stored.shards : {};
  const save = (): void => {
    if (file !== undefined) writeJsonFile(file, { streamArn, shards } satisfies Stored);
  };
  if (!resumed) save();
  return {
    resumed,
    get: (shardId) => shards[shardId],
    set: (shardId, position) => {
      shards = { ...shards, [shardId]: position };
      save();
    },
    keepOnly: (shardIds) => {
      const kept = Object.entries(shards).filter(([id]) => shardIds.includes(id));
      if (kept.length === Object.keys(shards).length) return;
      shards = Object.fromEntries(kept);
      save();
    },
  };
}

export interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly SequenceNumberRange?: { readonly EndingSequenceNumber?: string };
}

export interface Page {
  readonly records: readonly StreamRecord[];
  /** Undefined at the end of a closed shard. */
  readonly next: string | undefined;
}

/** The streams API of the table's emulator, reduced to a poller's needs. */
export interface StreamReader {
  readonly streamArn: string;
  shards(): Promise<readonly Shard[]>;
  /** An iterator after a checkpoint, or at the oldest record when there is none. */
  iterator(shardId: string, after: string | undefined): Promise<string>;
  read(iterator: string, limit: number): Promise<Page>;
}

const STREAMS = 'DynamoDBStreams_20120810';
const MAX_PAGE = 1_000;

type Image = Readonly<Record<string, unknown>>;

/** The emulator's stream writes an empty map as a value without a type, `{}`; DynamoDB's writes `{"M": {}}`. */
export function withEmptyMaps(image: Image): Image {
  const typed = (value: unknown): unknown => {
    const { M: map, L: list } = value as { M?: Image; L?: readonly unknown[] };
    if (Object.keys(value as object).length === 0) return { M: {} };
    if (map) return { M: withEmptyMaps(map) };
    return list ? { L: list.map(typed) } : value;
  };
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, typed(value)]));
}

const withImages = (dynamodb: StreamRecord['dynamodb']): StreamRecord['dynamodb'] => {
  const { NewImage: after, OldImage: before } = dynamodb as { NewImage?: Image; OldImage?: Image };
  return {
    ...dynamodb,
    ...(after ? { NewImage: withEmptyMaps(after) } : {}),
    ...(before ? { OldImage: withEmptyMaps(before) } : {}),
  };
};

/** The stream of a table; the emulator's ARN and region are replaced by those of the template. */
export async function streamReader(
  client: AwsClient,
  tableName: string,
  sourceArn: string,
  region: string,
): Promise<StreamReader> {
  const { Table: table } = await client.call<{ Table: { LatestStreamArn?: string } }>(
    'DynamoDB_20120810.DescribeTable',
    {
      TableName: tableName,
    },
  );
  const streamArn = table.LatestStreamArn;
  if (!streamArn) throw new Error(`the table ${tableName} has no stream`);

  const asEvent = ({ userIdentity, dynamodb, ...record }: StreamRecord): StreamRecord => ({
    ...record,
    dynamodb: withImages(dynamodb),
    // Lambda writes these two fields in lower case, the streams API does not.
    ...(userIdentity
      ? {
          userIdentity: {
            type: userIdentity.Type ?? userIdentity.type,
            principalId: userIdentity.PrincipalId ?? userIdentity.principalId,
          },
        }
      : {}),
    awsRegion: region,
    eventSourceARN: sourceArn,
  });

  return {
    streamArn,
    shards: async () => {
      const shards: Shard[] = [];
      let last: string | undefined;
      do {
        const page: { StreamDescription: { Shards: readonly Shard[]; LastEvaluatedShardId?: string } } =
          await client.call(`${STREAMS}.DescribeStream`, {
            StreamArn: streamArn,
            ...(last ? { ExclusiveStartShardId: last } : {}),
          });
        shards.push(...page.StreamDescription.Shards);
        last = page.StreamDescription.LastEvaluatedShardId;
      } while (last);
      return shards;
    },
    iterator: async (shardId, after) => {
      if (after === DONE) throw new Error(`shard ${shardId} is already done`);
      const position =
        after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      const { ShardIterator: iterator } = await client.call<{ ShardIterator: string }>(`${STREAMS}.GetShardIterator`, {
        StreamArn: streamArn,
        ShardId: shardId,
        ...position,
      });
      return iterator;
    },
    read: async (iterator, limit) => {
      const page = await client.call<{ Records: readonly StreamRecord[]; NextShardIterator?: string }>(
        `${STREAMS}.GetRecords`,
        {
          ShardIterator: iterator,
          Limit: Math.min(limit, MAX_PAGE),
        },
      );
      return { records: page.Records.map(asEvent), next: page.NextShardIterator };
    },
  };
}

export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly awsRegion?: string;
  readonly eventSourceARN?: string;
  readonly userIdentity?: Readonly<Record<string, string | undefined>>;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number };
}

export interface Discarded {
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invokeCount: number;
}

export interface StreamDeps {
  invoke(records: readonly StreamRecord[]): Promise<InvocationOutcome>;
  discard(discarded: Discarded): Promise<void>;
  /** Waits before attempt number `attempt`; false when the run is stopping. */
  backOff(attempt: number): Promise<boolean>;
  now(): number;
  /** True once the run is stopping: a failure is then ours, and the batch is repeated at the next start. */
  stopping(): boolean;
}

const numberOf = ({ dynamodb }: StreamRecord): string => dynamodb.SequenceNumber;

type Policy = Pick<Mapping, 'reportsFailures' | 'bisects' | 'maxRetries' | 'maxAgeSeconds'>;

const tooOld = ({ maxAgeSeconds }: Policy, record: StreamRecord, nowMs: number): boolean =>
  maxAgeSeconds >= 0 &&
  nowMs / 1_000 - (record.dynamodb.ApproximateCreationDateTime ?? Number.POSITIVE_INFINITY) > maxAgeSeconds;

/**
 * Processes one batch in order, as Lambda does for streams: what a partial response reports as done is not repeated, a batch
 * that keeps failing at its first record is halved (when the mapping bisects) until the culprit stands alone, and a batch
 * out of retries or age goes to the failure destination. Returns false when the run stopped before the end.
 */
export async function processBatch(deps: StreamDeps, policy: Policy, batch: readonly StreamRecord[]): Promise<boolean> {
  let records = batch;
  let invokeCount = 0;
  for (let retries = 0; records.length > 0; ) {
    const young = records.findIndex((record) => !tooOld(policy, record, deps.now()));
    const expired = young === -1 ? records.length : young;
    if (expired > 0) {
      await deps.discard({ records: records.slice(0, expired), condition: 'RecordAgeExceeded', invokeCount });
      records = records.slice(expired);
      continue;
    }
    const outcome = await deps.invoke(records);
    invokeCount += 1;
    const result = batchResult(outcome, records.map(numberOf), policy.reportsFailures);
    if (result === 'succeeded') return true;
    if (deps.stopping()) return false;
    // The lowest reported number is the new start: everything after it is repeated, reported or not.
    const start = result === 'failed' ? 0 : records.findIndex((record) => result.failed.has(numberOf(record)));
    if (start > 0) {
      records = records.slice(start);
      retries = 0;
    } else if (policy.bisects && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      return (
        (await processBatch(deps, policy, records.slice(0, middle))) &&
        processBatch(deps, policy, records.slice(middle))
      );
    } else {
      retries += 1;
      if (policy.maxRetries >= 0 && retries > policy.maxRetries) {
        await deps.discard({ records, condition: 'RetryAttemptsExhausted', invokeCount });
        return true;
      }
    }
    if (!(await deps.backOff(Math.max(retries, 1)))) return false;
  }
  return true;
}

export type BatchResult = 'succeeded' | 'failed' | { readonly failed: ReadonlySet<string> };

/** Reads a partial batch response as Lambda does: nothing reported is success, anything malformed fails the whole batch. */
export function batchResult(
  outcome: InvocationOutcome,
  identifiers: readonly string[],
  reportsFailures: boolean,
): BatchResult {
  if (!outcome.ok) return 'failed';
  if (!reportsFailures) return 'succeeded';
  const answer = JSON.parse(outcome.payload) as unknown;
  if (answer === null || answer === '') return 'succeeded';
  if (typeof answer !== 'object') return 'failed';
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === undefined || failures === null) return 'succeeded';
  if (!Array.isArray(failures)) return 'failed';
  const known = new Set(identifiers);
  const failed = failures.map((failure: unknown) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  if (failed.some((id) => typeof id !== 'string' || !known.has(id))) return 'failed';
  return failed.length === 0 ? 'succeeded' : { failed: new Set(failed as string[]) };
}

/** Wakes a poller as soon as there may be something new, and at the latest when its own wait ends. */
export interface Waker {
  wake(): void;
  /** Counts the wake-ups: pass it to `wait` so that one between poll and wait is not lost. */
  count(): number;
  wait(since: number, patienceMs: number): Promise<void>;
}

export function waker(): Waker {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    wake: () => {
      count += 1;
      for (const resume of waiting) resume();
    },
    count: () => count,
    wait: (since, patienceMs) => {
      if (count !== since) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          waiting.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, patienceMs);
        waiting.add(resume);
      });
    },
  };
}
