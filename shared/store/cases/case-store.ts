import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CaseSlice } from '../../domain/cases/case-search';
import {
  CASE_CLASSES,
  type CaseClass,
  type CaseSelection,
  HOUR_MS,
  MINUTE_MS,
  type Tally,
} from '../../domain/cases/case-tally';
import { CASE_LIFE_MS, type ReviewCase } from '../../domain/cases/review-case';
import { lowestUlid } from '../../domain/ulid';
import { ALL_CASES, caseDuePk, caseKey, caseListPk, DUE_INDEX, dayTallyPk, dayTallySk, hourTallyKey } from '../keys';
import { reach, type Table } from '../sdk/client';
import { ALL_SHARDS, counterName, dayName, hourName } from './case-index';
import { toCase } from './case-items';

type Counts = Record<CaseClass, number>;

/** The time that a tally covers, and how it is divided. */
interface TallySpan {
  readonly startMs: number;
  readonly stepMs: number;
  readonly parts: number;
}

function addCounters(
  into: Map<number, Counts>,
  item: Record<string, unknown>,
  { startMs, stepMs, parts }: TallySpan,
): void {
  for (let part = 0; part < parts; part++) {
    const at = startMs + part * stepMs;
    for (const caseClass of CASE_CLASSES) {
      const count = item[counterName(caseClass, part)] as number | undefined;
      if (!count) continue;
      const counts = into.get(at) ?? { unresolved: 0, approved: 0, rejected: 0 };
      counts[caseClass] += count;
      into.set(at, counts);
    }
  }
}

/** Reads one case. */
export function caseReader(table: Table) {
  return {
    async find(accountId: string, ulid: string): Promise<ReviewCase | undefined> {
      const command = new GetCommand({ TableName: table.name, Key: caseKey(accountId, ulid), ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      return item && toCase(item);
    },
  };
}

/** Where the cases of a span within one day are stored: one partition per shard and list. */
function partitionsOf(accountId: string, { fromMs, toMs, classes }: CaseSelection) {
  const day = dayName(toMs - 1);
  const lists = classes.length === CASE_CLASSES.length ? [ALL_CASES] : classes;
  return ALL_SHARDS.flatMap((shard) =>
    lists.map((list) => ({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      // Every real ULID is above the lowest one of its time, so the end is excluded.
      ExpressionAttributeValues: {
        ':pk': caseListPk(accountId, day, shard, list),
        ':from': lowestUlid(fromMs),
        ':to': lowestUlid(toMs),
      },
    })),
  );
}

/** Reads cases in list order, and the tallies that say where to look. */
export function caseLister(table: Table) {
  const queryAll = async (input: Omit<QueryCommand['input'], 'TableName' | 'ConsistentRead'>) => {
    const items: Record<string, unknown>[] = [];
    let from: Record<string, unknown> | undefined;
    do {
      const command: QueryCommand = new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        ...input,
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const page = await reach(() => table.client.send(command));
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from && (input.Limit === undefined || items.length < input.Limit));
    return items;
  };

  return {
    /** Cases by hour, for all days from one to another. */
    async hours(accountId: string, fromMs: number, toMs: number): Promise<Tally> {
      const days = await Promise.all(
        ALL_SHARDS.map((shard) =>
          queryAll({
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
            ExpressionAttributeValues: {
              ':pk': dayTallyPk(accountId, shard),
              ':from': dayTallySk(dayName(fromMs)),
              ':to': dayTallySk(dayName(toMs)),
            },
          }),
        ),
      );
      const tally = new Map<number, Counts>();
      for (const item of days.flat()) {
        const day = (item.sk as string).slice(dayTallySk('').length);
        addCounters(tally, item, { startMs: Date.parse(day), stepMs: HOUR_MS, parts: 24 });
      }
      return tally;
    },

    /** Cases by minute, for one hour. */
    async minutes(accountId: string, hourMs: number): Promise<Tally> {
      const items = await Promise.all(
        ALL_SHARDS.map(async (shard) => {
          const Key = hourTallyKey(accountId, shard, dayName(hourMs), hourName(hourMs));
          const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
          return (await reach(() => table.client.send(command))).Item ?? {};
        }),
      );
      const tally = new Map<number, Counts>();
      const span = { startMs: hourMs, stepMs: MINUTE_MS, parts: 60 };
      for (const item of items) addCounters(tally, item, span);
      return tally;
    },

    /** The newest cases of a span within one day, at most `limit`, newest first. */
    async newest(accountId: string, selection: CaseSelection, limit: number): Promise<ReviewCase[]> {
      const parts = partitionsOf(accountId, selection);
      const found = await Promise.all(
        parts.map((part) => queryAll({ ...part, ScanIndexForward: false, Limit: limit })),
      );
      const cases = found.flat().map(toCase);
      return cases.sort((a, b) => (a.ulid < b.ulid ? 1 : -1)).slice(0, limit);
    },

    /** Cases of a span within one day, in order of creation; at most `limit`, those after (or before) a case. */
    async ofDay(accountId: string, selection: CaseSelection, { beyond, limit, isOldestFirst }: CaseSlice) {
      const bound = beyond === undefined ? {} : { [isOldestFirst ? ':from' : ':to']: beyond };
      const found = await Promise.all(
        partitionsOf(accountId, selection).map(({ KeyConditionExpression, ExpressionAttributeValues: values }) =>
          queryAll({
            KeyConditionExpression,
            ExpressionAttributeValues: { ...values, ...bound },
            ScanIndexForward: isOldestFirst,
            // The bound is a case of the page before, and found again.
            Limit: limit + 1,
          }),
        ),
      );
      const cases = found
        .flat()
        .map(toCase)
        .filter(({ ulid }) => ulid !== beyond);
      const order = isOldestFirst ? 1 : -1;
      return cases.sort((a, b) => (a.ulid < b.ulid ? -order : order)).slice(0, limit);
    },

    /** The number of cases in a span within one minute. */
    async count(accountId: string, selection: CaseSelection): Promise<number> {
      const parts = partitionsOf(accountId, selection);
      const found = await Promise.all(parts.map((part) => queryAll({ ...part, ProjectionExpression: 'sk' })));
      return found.flat().length;
    },
  };
}

export type CaseLister = ReturnType<typeof caseLister>;

/** A case that is due for expiry. */
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
      const command = new QueryCommand({
        TableName: table.name,
        IndexName: DUE_INDEX,
        KeyConditionExpression: 'due_pk = :pk AND due_sk <= :now',
        ExpressionAttributeValues: { ':pk': caseDuePk(shard), ':now': new Date(nowMs).toISOString() },
        ConsistentRead: false,
        Limit: limit,
      });
      const { Items: items = [] } = await reach(() => table.client.send(command));
      return items.map(({ pk, sk, due_sk }) => ({ pk, sk, dueAt: due_sk }));
    },

    /** How many cases of a shard are waiting at `nowMs`, and when the oldest of them expires. */
    async waiting(shard: number, nowMs: number): Promise<{ count: number; firstDueAt: string | undefined }> {
      const waiting = {
        TableName: table.name,
        IndexName: DUE_INDEX,
        KeyConditionExpression: 'due_pk = :pk AND due_sk > :now',
        ExpressionAttributeValues: { ':pk': caseDuePk(shard), ':now': new Date(nowMs).toISOString() },
        ConsistentRead: false,
      };
      const { Items: [first] = [] } = await reach(() => table.client.send(new QueryCommand({ ...waiting, Limit: 1 })));
      let count = 0;
      let from: Record<string, unknown> | undefined;
      do {
        const next = from ? { ExclusiveStartKey: from } : {};
        const command: QueryCommand = new QueryCommand({ ...waiting, Select: 'COUNT', ...next });
        const page = await reach(() => table.client.send(command));
        count += page.Count ?? 0;
        from = page.LastEvaluatedKey;
      } while (from);
      return { count, firstDueAt: first?.due_sk };
    },

    /** Whether this call expired it: a case that was resolved or swept in the meantime is left alone. */
    async expire({ pk, sk }: DueCase, nowMs: number): Promise<boolean> {
      const command = new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        UpdateExpression: 'SET #status = :expired REMOVE due_pk, due_sk',
        ConditionExpression: '#status = :open AND created_at_ms <= :due',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':expired': 'expired', ':open': 'open', ':due': nowMs - CASE_LIFE_MS },
      });
      return reach(() => table.client.send(command)).then(
        () => true,
        (error: Error) => {
          if (error.name === 'ConditionalCheckFailedException') return false;
          throw error;
        },
      );
    },
  };
}
