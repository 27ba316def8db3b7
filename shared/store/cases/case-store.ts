import type { CaseSlice } from '../../domain/cases/case-search';
import type { CaseClass, CaseSelection, Span } from '../../domain/cases/case-tally';
import { CASE_LIFE_MS, type ReviewCase } from '../../domain/cases/review-case';
import { lowestUlid } from '../../domain/ulid';
import { caseDuePk, caseKey, caseListPk, DUE_INDEX } from '../keys';
import { batchGet } from '../sdk/batch-get';
import type { Table } from '../sdk/client';
import { getItem, isAccepted, queryAll, queryDue, queryPage, queryPages, updateItem } from '../sdk/table-calls';
import { ALL_SHARDS, BUSY_SHARDS, dayName } from './case-index';
import { toCase } from './case-items';
import { tallyReader } from './tally-reader';

export function caseReader(table: Table) {
  return {
    async find(accountId: string, ulid: string): Promise<ReviewCase | undefined> {
      const item = await getItem(table, caseKey(accountId, ulid));
      return item && toCase(item);
    },
  };
}

const partitionOf = (accountId: string, { fromMs, toMs }: Span, shard: number, list: CaseClass) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  // Every real ULID is above the lowest one of its time, so the end is excluded.
  ExpressionAttributeValues: {
    ':pk': caseListPk(accountId, dayName(toMs - 1), shard, list),
    ':from': lowestUlid(fromMs),
    ':to': lowestUlid(toMs),
  },
});

type Partition = ReturnType<typeof partitionOf>;
type Item = Record<string, unknown>;

export function caseLister(table: Table) {
  const { isBusy, hours, minutes } = tallyReader(table);

  /** The result of each partition of a day: ordinary shards at once, busy shards only where the day was busy. */
  async function overDay(
    accountId: string,
    selection: CaseSelection,
    read: (partition: Partition) => Promise<Item[]>,
  ): Promise<Item[]> {
    // A case leaves one list only, that of unresolved cases. With that list read first, a case that is resolved
    // meanwhile is found twice, and never missed.
    const leaving = selection.classes.filter((each) => each === 'unresolved');
    const staying = selection.classes.filter((each) => each !== 'unresolved');
    const inShard = async (shard: number): Promise<Item[]> => {
      const found = new Map<unknown, Item>();
      for (const lists of [leaving, staying]) {
        const items = await Promise.all(lists.map((list) => read(partitionOf(accountId, selection, shard, list))));
        for (const item of items.flat()) found.set(item.sk, item);
      }
      return [...found.values()];
    };
    const among = (shards: readonly number[]) => Promise.all(shards.map(inShard));
    const [ordinary, wasBusy] = await Promise.all([among(ALL_SHARDS), isBusy(accountId, selection.toMs - 1)]);
    return [...ordinary, ...(wasBusy ? await among(BUSY_SHARDS) : [])].flat();
  }

  return {
    hours,
    minutes,

    /** The newest cases of a span within one day, at most `limit`, newest first. */
    async newest(accountId: string, selection: CaseSelection, limit: number): Promise<ReviewCase[]> {
      const read = (part: Partition) => queryAll(table, { ...part, ScanIndexForward: false, Limit: limit });
      const cases = (await overDay(accountId, selection, read)).map(toCase);
      return cases.sort((a, b) => (a.ulid < b.ulid ? 1 : -1)).slice(0, limit);
    },

    /** Cases of a span within one day, in order of creation; at most `limit`, those after (or before) a case. */
    async ofDay(accountId: string, selection: CaseSelection, { beyond, limit, isOldestFirst }: CaseSlice) {
      const order = isOldestFirst ? 1 : -1;
      // ULIDs spread evenly: a read of each partition's share, and some more, nearly always suffices.
      const share = Math.ceil((limit / ALL_SHARDS.length) * 1.25) + 8;
      const cases: ReviewCase[] = [];
      for (let from = beyond; ; ) {
        const bound = from === undefined ? {} : { [isOldestFirst ? ':from' : ':to']: from };
        const ends: string[] = [];
        const read = async ({ KeyConditionExpression, ExpressionAttributeValues: values }: Partition) => {
          const items = await queryAll(table, {
            KeyConditionExpression,
            ExpressionAttributeValues: { ...values, ...bound },
            ScanIndexForward: isOldestFirst,
            // The bound is a case of the page before, and found again.
            Limit: share + 1,
          });
          if (items.length > share) ends.push(items[share]?.sk);
          return items;
        };
        const found = (await overDay(accountId, selection, read)).map(toCase);
        // Beyond the first of these, a partition may have cases that were not read.
        const end = ends.sort().at(isOldestFirst ? 0 : -1);
        const isRead = ({ ulid }: ReviewCase): boolean =>
          end === undefined || (isOldestFirst ? ulid <= end : ulid >= end);
        const next = found.filter((each) => each.ulid !== from && isRead(each));
        cases.push(...next.sort((a, b) => (a.ulid < b.ulid ? -order : order)));
        if (end === undefined || cases.length >= limit) return cases.slice(0, limit);
        from = end;
      }
    },

    /** The cases with these ULIDs, in the same order; those that are gone are left out. */
    async findAll(accountId: string, ulids: readonly string[]): Promise<ReviewCase[]> {
      const keys = ulids.map((ulid) => caseKey(accountId, ulid));
      const found = await batchGet(table, keys);
      return keys.flatMap((key) => {
        const item = found(key);
        return item === undefined ? [] : [toCase(item)];
      });
    },

    async count(accountId: string, selection: CaseSelection): Promise<number> {
      const read = (part: Partition) => queryAll(table, { ...part, ProjectionExpression: 'sk' });
      return (await overDay(accountId, selection, read)).length;
    },
  };
}

export type CaseLister = ReturnType<typeof caseLister>;

interface DueCase {
  readonly pk: string;
  readonly sk: string;
  readonly dueAt: string;
}

/** Makes durable what the clock has already decided. */
export function caseSweeper(table: Table) {
  return {
    /** Cases of a shard that had expired by `nowMs`, oldest first. */
    async due(shard: number, nowMs: number, limit: number): Promise<DueCase[]> {
      const items = await queryDue(table, caseDuePk(shard), nowMs, limit);
      return items.map(({ pk, sk, due_sk }) => ({ pk, sk, dueAt: due_sk }));
    },

    /** How many cases of a shard are waiting at `nowMs`, and when the oldest of them expires. */
    async waiting(shard: number, nowMs: number): Promise<{ count: number; firstDueAt: string | undefined }> {
      const waiting = {
        IndexName: DUE_INDEX,
        KeyConditionExpression: 'due_pk = :pk AND due_sk > :now',
        ExpressionAttributeValues: { ':pk': caseDuePk(shard), ':now': new Date(nowMs).toISOString() },
        ConsistentRead: false,
      };
      const { Items: [first] = [] } = await queryPage(table, { ...waiting, Limit: 1 });
      let count = 0;
      for await (const page of queryPages(table, { ...waiting, Select: 'COUNT' })) count += page.Count ?? 0;
      return { count, firstDueAt: first?.due_sk };
    },

    /** Whether this call expired it: a case that was resolved or swept in the meantime is left alone. */
    async expire({ pk, sk }: DueCase, nowMs: number): Promise<boolean> {
      return await isAccepted(
        updateItem(
          table,
          { pk, sk },
          {
            UpdateExpression: 'SET #status = :expired REMOVE due_pk, due_sk',
            ConditionExpression: '#status = :open AND created_at_ms <= :due',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':expired': 'expired', ':open': 'open', ':due': nowMs - CASE_LIFE_MS },
          },
        ),
      );
    },
  };
}
