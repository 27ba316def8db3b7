import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ErasedPerson, type Erasure, type ErasurePass, erasureMark } from '../../domain/personal-data/erasure';
import { DUE_INDEX, ERASURE_DUE_PK, erasePassKey, erasureKey, forgottenKey } from '../keys';
import { batchGet } from '../sdk/batch-get';
import { reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';

type Item = Record<string, unknown>;

function toErasure(item: Item): Erasure {
  const { erasure_id, account_id, status, requested_at, requested_by, completed_at, looked_at } =
    item as unknown as Erasure;
  const erased = Object.fromEntries(
    Object.entries(item).flatMap(([name, count]) => (name.startsWith('n_') ? [[name.slice(2), count as number]] : [])),
  );
  return { erasure_id, account_id, status, requested_at, requested_by, completed_at, looked_at, erased };
}

const toPerson = (item: Item): ErasedPerson => ({
  erasure_id: item.erasure_id as string,
  account_id: item.account_id as string,
  user: item.user as string,
  requested_at_ms: Date.parse(item.requested_at as string),
});

/** Reads erasures. */
export function erasureReader(table: Table) {
  return {
    async find(accountId: string, erasureId: string): Promise<Erasure | undefined> {
      const Key = erasureKey(accountId, erasureId);
      const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      return item && toErasure(item);
    },
  };
}

/** Records what was asked for. */
export function erasureRecorder(table: Table) {
  return {
    /** A pending erasure, with whom it is about, for the worker to find. */
    async insert(erasure: Erasure, user: string): Promise<void> {
      const { erased: _none, ...rest } = erasure;
      const Item = {
        ...erasureKey(erasure.account_id, erasure.erasure_id),
        entity: 'erasure',
        ...rest,
        user,
        mark: erasureMark(erasure.account_id, user),
        due_pk: ERASURE_DUE_PK,
        due_sk: erasure.requested_at,
      };
      await reach(() => table.client.send(new PutCommand({ TableName: table.name, Item })));
    },

    /** That labels were taken back: by whom and why, not whose. */
    async insertForgotten(accountId: string, ulid: string, entry: object): Promise<void> {
      const Item = { ...forgottenKey(accountId, ulid), entity: 'forgotten-labels', ...entry };
      await reach(() => table.client.send(new PutCommand({ TableName: table.name, Item })));
    },
  };
}

const MAX_FOUND = 2_000;

/** Erasures as the worker sees them. */
export function erasureQueue(table: Table) {
  const keysDue = async (): Promise<Key[]> => {
    const command = new QueryCommand({
      TableName: table.name,
      IndexName: DUE_INDEX,
      KeyConditionExpression: 'due_pk = :pk',
      ExpressionAttributeValues: { ':pk': ERASURE_DUE_PK },
      ConsistentRead: false,
      Limit: 100,
    });
    const { Items: items = [] } = await reach(() => table.client.send(command));
    return items.map(({ pk, sk }) => ({ pk, sk }));
  };
  const update = (accountId: string, erasureId: string, input: object) =>
    reach(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: erasureKey(accountId, erasureId),
          ...(input as { UpdateExpression: string }),
        }),
      ),
    );

  return {
    /** Everybody whose erasure is pending, oldest first. */
    async pending(): Promise<ErasedPerson[]> {
      const keys = await keysDue();
      const found = await batchGet(table, keys);
      return keys.flatMap((key) => {
        const item = found(key);
        return item?.user === undefined ? [] : [toPerson(item)];
      });
    },

    async pass(): Promise<ErasurePass | undefined> {
      const command = new GetCommand({ TableName: table.name, Key: { ...erasePassKey }, ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      return item && { erasure_ids: item.erasure_ids as string[], position: item.position as string | undefined };
    },

    async savePass({ erasure_ids, position }: ErasurePass): Promise<void> {
      const Item = { ...erasePassKey, entity: 'erasure-pass', erasure_ids, position };
      await reach(() => table.client.send(new PutCommand({ TableName: table.name, Item })));
    },

    /** Adds to what was looked at and erased, and to the entities to look at in the end. */
    async progress(
      { account_id, erasure_id }: ErasedPerson,
      lookedAt: number,
      erased: Readonly<Record<string, number>>,
      entities: readonly string[],
    ): Promise<void> {
      const counts = Object.entries(erased).filter(([, count]) => count > 0);
      const adds = ['looked_at :looked', ...counts.map((_, at) => `#${at} :${at}`)];
      if (entities.length > 0) adds.push('seen_with :found');
      await update(account_id, erasure_id, {
        UpdateExpression: `ADD ${adds.join(', ')}`,
        ...(counts.length > 0
          ? { ExpressionAttributeNames: Object.fromEntries(counts.map(([kind], at) => [`#${at}`, `n_${kind}`])) }
          : {}),
        ExpressionAttributeValues: {
          ':looked': lookedAt,
          ...Object.fromEntries(counts.map(([, count], at) => [`:${at}`, count])),
          ...(entities.length > 0 ? { ':found': new Set(entities.slice(0, MAX_FOUND)) } : {}),
        },
      });
    },

    /** The entities that were found with a person. */
    async found({ account_id, erasure_id }: ErasedPerson): Promise<string[]> {
      const Key = erasureKey(account_id, erasure_id);
      const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      return [...((item?.seen_with as Set<string> | undefined) ?? [])];
    },

    /** Done: from now on nothing tells who it was. */
    async complete({ account_id, erasure_id }: ErasedPerson, at: string): Promise<void> {
      await update(account_id, erasure_id, {
        UpdateExpression: 'SET #status = :completed, completed_at = :at REMOVE #user, seen_with, due_pk, due_sk',
        ExpressionAttributeNames: { '#status': 'status', '#user': 'user' },
        ExpressionAttributeValues: { ':completed': 'completed', ':at': at },
      });
    },
  };
}
