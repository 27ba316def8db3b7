import {
  changeOf,
  type EntryCounts,
  entryMarks,
  type ListAuthor,
  type ListChange,
  type ListDefinition,
  MAX_LISTS,
  maxEntries,
  NO_ENTRIES,
} from '../../domain/lists/list-definition';
import {
  LIST_CHANGE_SK,
  LIST_SK,
  listChangeKey,
  listCountKey,
  listDuePk,
  listKey,
  listPurgeKey,
  listsPk,
} from '../keys';
import type { Table } from '../sdk/client';
import { getItem, queryPrefix, updateItem } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';

type Item = Record<string, unknown>;

/** Changes are kept a little longer than a year, so that a yearly audit sees all of them. */
const CHANGES_KEPT_S = 400 * 86_400;

/** All parts of a change have been committed: only then it is reported. */
export const COMPLETE = 'complete';

export function toList(item: Item): ListDefinition {
  const { name, type, effect, note, entries, created_at, updated_at, number, version, flagged } =
    item as unknown as ListDefinition;
  const list = { name, type, effect, note, entries, created_at, updated_at, number, version };
  return flagged ? { ...list, flagged } : list;
}

export function toListChange(item: Item): ListChange {
  const { ulid, kind, name, type, effect, changed_at, changed_by, added, updated, removed } =
    item as unknown as ListChange;
  const marks = [...((item.marks as Set<string> | undefined) ?? [])].sort();
  return {
    ...{ ulid, kind, name, type, effect, changed_at, changed_by, added, updated, removed },
    ...(marks.length === 0 ? {} : { marks }),
  };
}

/** Part of a change of a list: its transactions share the item, and the last one completes it. */
export interface ChangePart {
  readonly kind: ListChange['kind'];
  readonly author: ListAuthor;
  readonly counts: EntryCounts;
  readonly isLast: boolean;
  /** The names of its entries. @default none */
  readonly names?: readonly string[];
}

/** Counts a part of a change, in the transaction that makes it. When it is complete, the stream reports it. */
export function changeItem(accountId: string, list: ListDefinition, part: ChangePart): TransactItem {
  const { kind, author, counts, isLast, names = [] } = part;
  const members = { entity: 'list-change', account_id: accountId, ...changeOf(kind, list, author) };
  const ttl = Math.ceil(author.nowMs / 1000) + CHANGES_KEPT_S;
  const sets = Object.entries({ ...members, ttl, ...(isLast ? { state: COMPLETE } : {}) });
  const marks = entryMarks(accountId, names);
  const adds = Object.entries({ ...counts, ...(marks.length === 0 ? {} : { marks: new Set(marks) }) });
  return {
    Update: {
      Key: listChangeKey(accountId, author.ulid),
      UpdateExpression: `SET ${sets.map((_, at) => `#s${at} = :s${at}`).join(', ')} ADD ${adds.map((_, at) => `#a${at} :a${at}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries([
        ...sets.map(([name], at) => [`#s${at}`, name]),
        ...adds.map(([name], at) => [`#a${at}`, name]),
      ]),
      ExpressionAttributeValues: Object.fromEntries([
        ...sets.map(([, value], at) => [`:s${at}`, value]),
        ...adds.map(([, value], at) => [`:a${at}`, value]),
      ]),
    },
  };
}

/** Counts the lists of an account; a step up is refused when it has as many as it may. */
export const countItem = (accountId: string, step: 1 | -1, most: number): TransactItem => ({
  Update: {
    Key: listCountKey(accountId),
    UpdateExpression: 'SET entity = :entity ADD lists :step',
    ExpressionAttributeValues: { ':entity': 'list-count', ':step': step, ...(step === 1 ? { ':most': most } : {}) },
    ...(step === 1 ? { ConditionExpression: 'attribute_not_exists(lists) OR lists < :most' } : {}),
  },
});

/** Counts a list's entries, and lets screenings know that they changed; refused if it is another list by now. */
export function countEntries(accountId: string, list: ListDefinition, step: number): TransactItem {
  const hasRoom = step > 0 ? ' AND entries <= :room' : '';
  return {
    Update: {
      Key: listKey(accountId, list.name),
      UpdateExpression: 'ADD entries :step, version :one',
      ConditionExpression: `#number = :number${hasRoom}`,
      ExpressionAttributeNames: { '#number': 'number' },
      ExpressionAttributeValues: {
        ':step': step,
        ':one': 1,
        ':number': list.number,
        ...(step > 0 ? { ':room': maxEntries(list) - step } : {}),
      },
    },
  };
}

export async function isSameList(
  table: Table,
  accountId: string,
  { name, number }: Pick<ListDefinition, 'name' | 'number'>,
): Promise<boolean> {
  const item = await getItem(table, listKey(accountId, name));
  return item?.number === number;
}

export function listReader(table: Table) {
  return {
    async find(accountId: string, name: string): Promise<ListDefinition | undefined> {
      const item = await getItem(table, listKey(accountId, name));
      return item && toList(item);
    },

    async all(accountId: string): Promise<ListDefinition[]> {
      return (await queryPrefix(table, listsPk(accountId), LIST_SK)).map(toList);
    },

    /** The latest changes of an account's lists, newest first. */
    async changes(accountId: string, most: number): Promise<ListChange[]> {
      const newestFirst = { ScanIndexForward: false, Limit: most };
      return (await queryPrefix(table, listsPk(accountId), LIST_CHANGE_SK, newestFirst)).map(toListChange);
    },
  };
}

export function listWriter(table: Table) {
  /** A number that no list of the account ever had; one that is then not used leaves a gap. */
  async function nextNumber(accountId: string): Promise<number> {
    const { Attributes } = await updateItem(table, listCountKey(accountId), {
      UpdateExpression: 'SET entity = :entity ADD numbered :one',
      ExpressionAttributeValues: { ':entity': 'list-count', ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    });
    return Attributes?.numbered as number;
  }

  return {
    /** The list as it was stored; `full` if the account has as many as it may, `exists` if somebody was faster. */
    async create(
      accountId: string,
      made: Omit<ListDefinition, 'number' | 'version'>,
      author: ListAuthor,
    ): Promise<ListDefinition | 'full' | 'exists'> {
      const list: ListDefinition = { ...made, number: await nextNumber(accountId), version: 0 };
      const Item = { ...listKey(accountId, list.name), entity: 'list', account_id: accountId, ...list };
      const outcome = await transact(table, [
        countItem(accountId, 1, MAX_LISTS),
        { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } },
        changeItem(accountId, list, { kind: 'created', author, counts: NO_ENTRIES, isLast: true }),
      ]);
      if (outcome.committed) return list;
      return outcome.failed.includes(1) ? 'exists' : 'full';
    },

    async change(accountId: string, list: ListDefinition, author: ListAuthor): Promise<boolean> {
      const outcome = await transact(table, [
        {
          Update: {
            Key: listKey(accountId, list.name),
            UpdateExpression: 'SET effect = :effect, note = :note, updated_at = :at',
            ConditionExpression: '#number = :number',
            ExpressionAttributeNames: { '#number': 'number' },
            ExpressionAttributeValues: {
              ':effect': list.effect,
              ':note': list.note,
              ':at': list.updated_at,
              ':number': list.number,
            },
          },
        },
        changeItem(accountId, list, { kind: 'updated', author, counts: NO_ENTRIES, isLast: true }),
      ]);
      return outcome.committed;
    },

    /** Deletes a list: it acts no longer. What is left of its entries waits to be purged. False if it was not there. */
    async remove(accountId: string, list: ListDefinition, author: ListAuthor): Promise<boolean> {
      const counts = { ...NO_ENTRIES, removed: list.entries };
      const purge = {
        ...listPurgeKey(accountId, list.number),
        entity: 'list-purge',
        account_id: accountId,
        type: list.type,
        due_pk: listDuePk(0),
        due_sk: new Date(author.nowMs).toISOString(),
      };
      const outcome = await transact(table, [
        {
          Delete: {
            Key: listKey(accountId, list.name),
            ConditionExpression: '#number = :number',
            ExpressionAttributeNames: { '#number': 'number' },
            ExpressionAttributeValues: { ':number': list.number },
          },
        },
        countItem(accountId, -1, MAX_LISTS),
        { Put: { Item: purge } },
        changeItem(accountId, list, { kind: 'deleted', author, counts, isLast: true }),
      ]);
      return outcome.committed;
    },
  };
}
