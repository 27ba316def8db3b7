import type { AwsClient } from '../backends/aws-client';
import { DONE } from './checkpoints';
import type { StreamRecord } from './stream-batch';

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

/** The streams API of the table's emulator, reduced to what a poller needs. */
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
