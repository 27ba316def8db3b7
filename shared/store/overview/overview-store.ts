import { addCounters, type Counters } from '../../domain/overview/overview-counters';
import { COUNTED_HOURS_MS, type OverviewSpan } from '../../domain/overview/overview-span';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { overviewMarkKey, overviewPk, overviewSk } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, queryAll } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';

/**
 * An account's tallies of a time are spread over this many items, each for a share of the stream's shards: shards that
 * are counted at the same time rarely meet on one item. Every overview reads all of them, so keep it low.
 */
const SLOTS = 4;

const DAY_S = 86_400;
/** A day longer than they are shown. */
const KEPT_S = { hour: COUNTED_HOURS_MS / 1000 + DAY_S, day: RETENTION_MS / 1000 + 2 * DAY_S } as const;
/** A record stays in the stream for a day. */
const MARK_KEPT_S = 3 * DAY_S;

const NO_COUNTER: ReadonlySet<string> = new Set(['pk', 'sk', 'entity', 'ttl']);

const slotOf = (shardId: string): number => shardId.charCodeAt(shardId.length - 1) % SLOTS;

interface Part {
  readonly account_id: string;
  readonly interval: 'hour' | 'day';
  readonly at_ms: number;
  readonly counters: Counters;
  readonly about?: 'desk' | undefined;
}

function addItem(slot: number, { account_id, interval, at_ms, counters, about }: Part): TransactItem {
  const steps = [...counters];
  return {
    Update: {
      Key: { pk: overviewPk(account_id, slot), sk: overviewSk(interval, at_ms, about) },
      UpdateExpression: `ADD ${steps.map((_, i) => `#${i} :${i}`).join(', ')} SET entity = :entity, #ttl = :ttl`,
      ExpressionAttributeNames: {
        '#ttl': 'ttl',
        ...Object.fromEntries(steps.map(([name], i) => [`#${i}`, name])),
      },
      ExpressionAttributeValues: {
        ':entity': 'overview',
        ':ttl': Math.ceil(at_ms / 1000) + KEPT_S[interval],
        ...Object.fromEntries(steps.map(([, step], i) => [`:${i}`, step])),
      },
    },
  };
}

/** The sequence numbers that a mark moves between; a shard that was never counted has none before. */
interface MarkMove {
  readonly before: string | undefined;
  readonly after: string;
}

function markItem(shardId: string, { before, after }: MarkMove, nowMs: number): TransactItem {
  return {
    Update: {
      Key: overviewMarkKey(shardId),
      UpdateExpression: 'SET #sequence = :after, entity = :entity, #ttl = :ttl',
      ConditionExpression: before === undefined ? 'attribute_not_exists(pk)' : '#sequence = :before',
      ExpressionAttributeNames: { '#sequence': 'sequence', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':after': after,
        ':entity': 'overview-mark',
        ':ttl': Math.ceil(nowMs / 1000) + MARK_KEPT_S,
        ...(before === undefined ? {} : { ':before': before }),
      },
    },
  };
}

export function overviewTallies(table: Table, clock: { now(): number }) {
  return {
    async counted(shardId: string): Promise<string | undefined> {
      const item = await getItem(table, overviewMarkKey(shardId));
      return item?.sequence as string | undefined;
    },

    async add(
      shardId: string,
      before: string | undefined,
      after: string,
      parts: readonly Part[],
    ): Promise<'counted' | 'moved' | 'refused'> {
      const items = parts.map((part) => addItem(slotOf(shardId), part));
      try {
        const mark = markItem(shardId, { before, after }, clock.now());
        const { committed } = await transact(table, [mark, ...items]);
        return committed ? 'counted' : 'moved';
      } catch (error) {
        // The table will never take it: an item has grown too large, or a name is invalid.
        if ((error as { name?: string }).name === 'ValidationException' || isRefused(error)) return 'refused';
        throw error;
      }
    },
  };
}

const isRefused = (error: unknown): boolean =>
  ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).some(
    ({ Code: code }) => code === 'ValidationError',
  );

export function overviewReader(table: Table) {
  function itemsOf(accountId: string, slot: number, { interval, fromMs, toMs }: OverviewSpan, about?: 'desk') {
    return queryAll(table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': overviewPk(accountId, slot),
        ':from': overviewSk(interval, fromMs, about),
        ':to': overviewSk(interval, toMs - 1, about),
      },
      // The counts lag behind the stream anyway.
      ConsistentRead: false,
    });
  }

  return {
    async read(accountId: string, span: OverviewSpan, about?: 'desk'): Promise<ReadonlyMap<number, Counters>> {
      const parts = new Map<number, Counters>();
      const readSlot = async (slot: number): Promise<void> => {
        for (const item of await itemsOf(accountId, slot, span, about)) {
          const time = (item.sk as string).split('#')[1] ?? '';
          const at = Date.parse(span.interval === 'hour' ? `${time}:00Z` : time);
          const counters = Object.entries(item).filter(([name]) => !NO_COUNTER.has(name)) as [string, number][];
          parts.set(at, addCounters(parts.get(at) ?? new Map(), new Map(counters)));
        }
      };
      await Promise.all(Array.from({ length: SLOTS }, (_, slot) => readSlot(slot)));
      return parts;
    },
  };
}
