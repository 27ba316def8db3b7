import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import { isAfter } from '../../domain/sequence-number';
import { readTally } from '../overview/tally-record';
import type { ChangeRecord } from '../sdk/change-record';
import type { Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { keyOfItem, type StoredItem, travelOf } from './account-items';

/** Changes of the account, in no particular order: who cares reads the items as they are now. */
export interface FeedPage {
  readonly keys: readonly Key[];
  /** All that was committed before this instant was read, as far as the stream had it. */
  readonly readUpToMs: number;
}

/** Dependencies of reading changes. */
export interface FeedDeps {
  readonly streams: DynamoDBStreamsClient;
  readonly table: Table;
  readonly accountId: string;
  readonly clock: { now(): number };
}

/** Where a shard is being read; undefined at its end. */
type Position = string | undefined;

/** The emulator's stream writes an empty map as a value without a type; only the owner and what is counted is read here. */
const withTypes = (image: object | undefined): StoredItem | undefined =>
  image &&
  (Object.fromEntries(Object.entries(image).filter(([, value]) => Object.keys(value).length > 0)) as StoredItem);

/**
 * The changes of one account from a table's stream, beginning when it is started. Positions are kept in memory only: who is
 * interrupted starts a new one and compares everything again.
 *
 * A stream is meant for two readers, and has them (ADR 0011). This is a third, for as long as a move takes: it may be throttled
 * and may get the others throttled, which delays them and loses nothing. So it asks once per shard and call, and callers pause.
 */
export function changeFeed({ streams, table, accountId, clock }: FeedDeps) {
  const positions = new Map<string, Position>();
  /** The last change of each shard that the overview counts. */
  const counted = new Map<string, string>();
  let streamArn = '';

  async function shards(): Promise<Shard[]> {
    const found: Shard[] = [];
    let last: string | undefined;
    do {
      const start = last === undefined ? {} : { ExclusiveStartShardId: last };
      const { StreamDescription: page } = await streams.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ...start }),
      );
      found.push(...(page?.Shards ?? []));
      last = page?.LastEvaluatedShardId;
    } while (last !== undefined);
    return found;
  }

  async function open(ShardId: string, ShardIteratorType: 'LATEST' | 'TRIM_HORIZON'): Promise<void> {
    const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ShardIteratorType });
    positions.set(ShardId, (await streams.send(command)).ShardIterator);
  }

  function note(shardId: string, sequence: string, change: ChangeRecord): void {
    if (sequence === '' || !isAfter(sequence, counted.get(shardId))) return;
    try {
      if (readTally(change) !== undefined) counted.set(shardId, sequence);
    } catch {
      // Cannot be counted: the overview leaves it out as well.
    }
  }

  async function read(shardId: string, iterator: string): Promise<FeedPage> {
    const askedAtMs = clock.now();
    const page = await streams.send(new GetRecordsCommand({ ShardIterator: iterator }));
    positions.set(shardId, page.NextShardIterator);
    const keys: Key[] = [];
    for (const { eventName, dynamodb } of page.Records ?? []) {
      const [after, before] = [withTypes(dynamodb?.NewImage), withTypes(dynamodb?.OldImage)];
      const item = after ?? before;
      if (item === undefined) continue;
      if (travelOf(item, accountId) === 'copied') {
        keys.push(keyOfItem(item));
        note(shardId, dynamodb?.SequenceNumber ?? '', { eventName, dynamodb: { NewImage: after, OldImage: before } });
      }
    }
    // A shard that has ended continues in others, which are found by the next call.
    if (page.NextShardIterator === undefined) return { keys, readUpToMs: Number.NEGATIVE_INFINITY };
    const last = page.Records?.at(-1)?.dynamodb?.ApproximateCreationDateTime;
    return { keys, readUpToMs: last?.getTime() ?? askedAtMs };
  }

  return {
    /** From now on every change is seen. */
    async start(): Promise<void> {
      const { Table: described } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
      streamArn = described?.LatestStreamArn ?? '';
      if (streamArn === '') throw new Error(`The table ${table.name} has no stream`);
      positions.clear();
      for (const { ShardId: id = '', SequenceNumberRange: range } of await shards()) {
        if (range?.EndingSequenceNumber === undefined) await open(id, 'LATEST');
        else positions.set(id, undefined);
      }
    },

    /** The next changes, at most a page of each shard. */
    async next(): Promise<FeedPage> {
      // Shards are split and replaced: what is new is read from its beginning.
      for (const { ShardId: id = '' } of await shards()) if (!positions.has(id)) await open(id, 'TRIM_HORIZON');
      const pages = await Promise.all([...positions].flatMap(([id, at]) => (at === undefined ? [] : [read(id, at)])));
      const readUpToMs = Math.min(clock.now(), ...pages.map((page) => page.readUpToMs));
      return { keys: pages.flatMap(({ keys }) => keys), readUpToMs };
    },

    /** The last change of each shard that the overview must count. */
    counted: (): ReadonlyMap<string, string> => counted,
  };
}

export type ChangeFeed = ReturnType<typeof changeFeed>;
