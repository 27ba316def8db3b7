import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import type { DecisionSlice, DecisionSpan } from '../../domain/screening/subjects/decision-span';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { DECIDED_SHARDS, DUE_INDEX, decidedPk, HISTORY_INDEX, historyPk, keptKey, resultKey } from '../keys';
import { monthsOf } from '../models/months-of';
import { toKept } from '../outcomes/kept-items';
import { batchGet } from '../sdk/batch-get';
import type { Table } from '../sdk/client';
import { queryPage } from '../sdk/table-calls';
import { toScreening } from './screening-reader';

/** Entries of the history index that are looked at at once where only some of them match: 10 read units. */
const SEARCHED = 200;

/** Lists of decisions, newest first. The indexes lag behind the table by milliseconds. */
export function decisionLists(table: Table) {
  const query = (input: Parameters<typeof queryPage>[1]) =>
    queryPage(table, { ConsistentRead: false, ScanIndexForward: false, ...input });

  return {
    /** Screenings of a user, by pseudonym. With a decision, those that it may apply to: reviews are not in the index. */
    async ofUser(
      accountId: string,
      user: string,
      { from, before }: DecisionSpan,
      { limit, decision }: { readonly limit: number; readonly decision?: string | undefined },
    ): Promise<DecisionSlice> {
      const page = await query({
        IndexName: HISTORY_INDEX,
        KeyConditionExpression: 'history_pk = :pk AND ulid BETWEEN :from AND :before',
        ExpressionAttributeValues: {
          ':pk': historyPk(accountId, user),
          ':from': from,
          ':before': before,
          ...(decision === undefined ? {} : { ':decision': decision, ':none': 0 }),
        },
        ...(decision === undefined
          ? { Limit: limit + 1 }
          : { FilterExpression: 'automated_decision = :decision OR review_count > :none', Limit: SEARCHED }),
      });
      const ulids = (page.Items ?? []).map(({ ulid }) => ulid as string).filter((ulid) => ulid !== before);
      return { ulids, next: page.LastEvaluatedKey?.ulid as string | undefined };
    },

    async decided(accountId: string, decision: string, span: DecisionSpan, limit: number): Promise<DecisionSlice> {
      const months = monthsOf(span);
      for (const [at, month] of months.entries()) {
        const pages = await Promise.all(
          Array.from({ length: DECIDED_SHARDS }, (_, shard) =>
            query({
              IndexName: DUE_INDEX,
              KeyConditionExpression: 'due_pk = :pk AND due_sk BETWEEN :from AND :before',
              ExpressionAttributeValues: {
                ':pk': decidedPk(accountId, decision, month, shard),
                ':from': span.from,
                ':before': span.before,
              },
              Limit: limit + 1,
            }),
          ),
        );
        const found = pages
          .flatMap(({ Items: items = [] }) => items.map(({ due_sk }) => due_sk as string))
          .filter((ulid) => ulid !== span.before)
          .sort()
          .reverse();
        const isCut = found.length > limit || pages.some(({ LastEvaluatedKey: more }) => more !== undefined);
        const ulids = found.slice(0, limit);
        if (ulids.length > 0) return { ulids, next: isCut || at + 1 < months.length ? ulids.at(-1) : undefined };
      }
      return { ulids: [], next: undefined };
    },

    /** The screenings with these ULIDs, in the same order; those that are gone are left out. */
    async findAll(accountId: string, ulids: readonly string[]): Promise<ScreeningRecord[]> {
      const found = await batchGet(
        table,
        ulids.map((ulid) => resultKey(accountId, ulid)),
      );
      return ulids.flatMap((ulid) => {
        const item = found(resultKey(accountId, ulid));
        return item === undefined ? [] : [toScreening(item)];
      });
    },

    async keptOf(accountId: string, ulids: readonly string[]): Promise<ReadonlyMap<string, KeptSubject>> {
      if (ulids.length === 0) return new Map();
      const found = await batchGet(
        table,
        ulids.map((ulid) => keptKey(accountId, ulid)),
      );
      return new Map(
        ulids.flatMap((ulid) => {
          const item = found(keptKey(accountId, ulid));
          return item === undefined ? [] : [[ulid, toKept(item)]];
        }),
      );
    },
  };
}
