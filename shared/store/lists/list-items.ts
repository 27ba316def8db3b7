import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changeOf, type EntryCounts, type ListAuthor, type ListChange } from '../../domain/lists/list-change';
import { type ListDefinition, maxEntries } from '../../domain/lists/list-definition';
import { listChangeKey, listCountKey, listKey } from '../keys';
import { reach, type Table } from '../sdk/client';
import type { TransactItem } from '../sdk/transact';

type Item = Record<string, unknown>;

/** Changes are kept a little longer than a year, so that a yearly audit sees all of them. */
const CHANGES_KEPT_S = 400 * 86_400;

/** All parts of a change have been committed: only then it is reported. */
export const COMPLETE = 'complete';

export function toList(item: Item): ListDefinition {
  const { name, type, effect, note, entries, created_at, updated_at, number, version } =
    item as unknown as ListDefinition;
  return { name, type, effect, note, entries, created_at, updated_at, number, version };
}

export function toListChange(item: Item): ListChange {
  const { ulid, kind, name, type, effect, changed_at, changed_by, added, updated, removed } =
    item as unknown as ListChange;
  return { ulid, kind, name, type, effect, changed_at, changed_by, added, updated, removed };
}

/** Part of a change of a list: its transactions share the item, and the last one completes it. */
export interface ChangePart {
  readonly kind: ListChange['kind'];
  readonly author: ListAuthor;
  readonly counts: EntryCounts;
  readonly isLast: boolean;
}

/** Counts a part of a change, in the transaction that makes it. When it is complete, the stream reports it. */
export function changeItem(table: Table, accountId: string, list: ListDefinition, part: ChangePart): TransactItem {
  const { kind, author, counts, isLast } = part;
  const members = { entity: 'list-change', account_id: accountId, ...changeOf(kind, list, author) };
  const ttl = Math.ceil(author.nowMs / 1000) + CHANGES_KEPT_S;
  const sets = Object.entries({ ...members, ttl, ...(isLast ? { state: COMPLETE } : {}) });
  const adds = Object.entries(counts);
  return {
    Update: {
      TableName: table.name,
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
export const countItem = (table: Table, accountId: string, step: 1 | -1, most: number): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: listCountKey(accountId),
    UpdateExpression: 'SET entity = :entity ADD lists :step',
    ExpressionAttributeValues: { ':entity': 'list-count', ':step': step, ...(step === 1 ? { ':most': most } : {}) },
    ...(step === 1 ? { ConditionExpression: 'attribute_not_exists(lists) OR lists < :most' } : {}),
  },
});

/** Counts a list's entries, and lets screenings know that they changed; refused if it is another list by now. */
export function countEntries(table: Table, accountId: string, list: ListDefinition, step: number): TransactItem {
  const hasRoom = step > 0 ? ' AND entries <= :room' : '';
  return {
    Update: {
      TableName: table.name,
      Key: listKey(accountId, list.name),
      UpdateExpression: 'ADD entries :step, version :one',
      ConditionExpression: `#number = :number${hasRoom}`,
      ExpressionAttributeNames: { '#number': 'number' },
      ExpressionAttributeValues: {
        ':step': step,
        ':one': 1,
        ':number': list.number,
        ...(step > 0 ? { ':room': maxEntries(list.type) - step } : {}),
      },
    },
  };
}

/** Whether a list is still the one that was read. */
export async function isSameList(
  table: Table,
  accountId: string,
  { name, number }: Pick<ListDefinition, 'name' | 'number'>,
): Promise<boolean> {
  const command = new GetCommand({ TableName: table.name, Key: listKey(accountId, name), ConsistentRead: true });
  const { Item: item } = await reach(() => table.client.send(command));
  return item?.number === number;
}
