import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ListAuthor, type ListChange, NO_ENTRIES } from '../../domain/lists/list-change';
import { type ListDefinition, MAX_LISTS } from '../../domain/lists/list-definition';
import { LIST_CHANGE_SK, LIST_SK, listCountKey, listDuePk, listKey, listPurgeKey, listsPk } from '../keys';
import { reach, type Table } from '../sdk/client';
import { transact } from '../sdk/transact';
import { changeItem, countItem, toList, toListChange } from './list-items';

/** The lists of an account, without their entries. */
export function listReader(table: Table) {
  return {
    async find(accountId: string, name: string): Promise<ListDefinition | undefined> {
      const command = new GetCommand({ TableName: table.name, Key: listKey(accountId, name), ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      return item && toList(item);
    },

    /** All of them, by name. */
    async all(accountId: string): Promise<ListDefinition[]> {
      const command = new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :list)',
        ExpressionAttributeValues: { ':pk': listsPk(accountId), ':list': LIST_SK },
        ConsistentRead: true,
      });
      // 50 lists of about a kilobyte fit into one page of 1 MB.
      const { Items: items = [] } = await reach(() => table.client.send(command));
      return items.map(toList);
    },

    /** The latest changes of an account's lists, newest first. */
    async changes(accountId: string, most: number): Promise<ListChange[]> {
      const command = new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :change)',
        ExpressionAttributeValues: { ':pk': listsPk(accountId), ':change': LIST_CHANGE_SK },
        ScanIndexForward: false,
        Limit: most,
        ConsistentRead: true,
      });
      const { Items: items = [] } = await reach(() => table.client.send(command));
      return items.map(toListChange);
    },
  };
}

/** Creates, changes and deletes lists. */
export function listWriter(table: Table) {
  /** A number that no list of the account ever had; one that is then not used leaves a gap. */
  async function nextNumber(accountId: string): Promise<number> {
    const command = new UpdateCommand({
      TableName: table.name,
      Key: listCountKey(accountId),
      UpdateExpression: 'SET entity = :entity ADD numbered :one',
      ExpressionAttributeValues: { ':entity': 'list-count', ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    });
    const { Attributes } = await reach(() => table.client.send(command));
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
        countItem(table, accountId, 1, MAX_LISTS),
        { Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
        changeItem(table, accountId, list, { kind: 'created', author, counts: NO_ENTRIES, isLast: true }),
      ]);
      if (outcome.committed) return list;
      return outcome.failed.includes(1) ? 'exists' : 'full';
    },

    /** Whether the list was still there to be changed. */
    async change(accountId: string, list: ListDefinition, author: ListAuthor): Promise<boolean> {
      const outcome = await transact(table, [
        {
          Update: {
            TableName: table.name,
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
        changeItem(table, accountId, list, { kind: 'updated', author, counts: NO_ENTRIES, isLast: true }),
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
            TableName: table.name,
            Key: listKey(accountId, list.name),
            ConditionExpression: '#number = :number',
            ExpressionAttributeNames: { '#number': 'number' },
            ExpressionAttributeValues: { ':number': list.number },
          },
        },
        countItem(table, accountId, -1, MAX_LISTS),
        { Put: { TableName: table.name, Item: purge } },
        changeItem(table, accountId, list, { kind: 'deleted', author, counts, isLast: true }),
      ]);
      return outcome.committed;
    },
  };
}
