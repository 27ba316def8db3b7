import { type ErasedPerson, type Erasure, type ErasureWalk, erasureMark } from '../../domain/personal-data/erasure';
import { DUE_INDEX, ERASURE_DUE_PK, entityKey, erasePassKey, erasureDayKey, erasureKey, forgottenKey } from '../keys';
import { batchGet } from '../sdk/batch-get';
import type { Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { getItem, isAccepted, putItem, queryAll, updateItem } from '../sdk/table-calls';
import { entityEraser } from './erase-entity';

type Item = Record<string, unknown>;

function toErasure(item: Item): Erasure {
  const { erasure_id, account_id, status, requested_at, requested_by, completed_at, looked_at } =
    item as unknown as Erasure;
  // Erasures from before evidence was kept say nothing about it.
  const evidence_until = (item.evidence_until as string | undefined) ?? null;
  const erased = Object.fromEntries(
    Object.entries(item).flatMap(([name, count]) => (name.startsWith('n_') ? [[name.slice(2), count as number]] : [])),
  );
  return {
    erasure_id,
    account_id,
    status,
    requested_at,
    requested_by,
    completed_at,
    evidence_until,
    looked_at,
    erased,
  };
}

export const evidenceUntilMs = (text: unknown): number | undefined =>
  typeof text === 'string' ? Date.parse(text) : undefined;

const toPerson = (item: Item): ErasedPerson => ({
  erasure_id: item.erasure_id as string,
  account_id: item.account_id as string,
  user: item.user as string,
  requested_at_ms: Date.parse(item.requested_at as string),
  evidence_until_ms: evidenceUntilMs(item.evidence_until),
  walk: item.walk as string | undefined,
});

export function erasureReader(table: Table) {
  return {
    async find(accountId: string, erasureId: string): Promise<Erasure | undefined> {
      const item = await getItem(table, erasureKey(accountId, erasureId));
      return item && toErasure(item);
    },
  };
}

export function erasureRecorder(table: Table) {
  return {
    async count(accountId: string, nowMs: number, most: number): Promise<boolean> {
      const counted = updateItem(table, erasureDayKey(accountId, new Date(nowMs).toISOString().slice(0, 10)), {
        UpdateExpression: 'SET entity = :entity, #ttl = :ttl ADD asked :one',
        ConditionExpression: 'attribute_not_exists(asked) OR asked < :most',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':entity': 'erasures-of-day',
          ':ttl': Math.ceil(nowMs / 1000) + 2 * 86_400,
          ':one': 1,
          ':most': most,
        },
      });
      return await isAccepted(counted);
    },

    /** An erasure; a pending one with whom it is about, for the worker to find. */
    async insert(erasure: Erasure, user: string): Promise<void> {
      const { erased: _none, ...rest } = erasure;
      const waiting = { user, due_pk: ERASURE_DUE_PK, due_sk: erasure.requested_at };
      const Item = {
        ...erasureKey(erasure.account_id, erasure.erasure_id),
        entity: 'erasure',
        ...rest,
        mark: erasureMark(erasure.account_id, user),
        ...(erasure.status === 'pending' ? waiting : {}),
      };
      await putItem(table, Item);
    },

    /** That labels were taken back: by whom and why, not whose. */
    async insertForgotten(accountId: string, ulid: string, entry: object): Promise<void> {
      await putItem(table, { ...forgottenKey(accountId, ulid), entity: 'forgotten-labels', ...entry });
    },
  };
}

/** Erases profiles, and can find nothing else: for the request, which does not wait for the rest. */
export function profileEraser(table: Table) {
  return {
    async eraseProfile(accountId: string, user: string, nowMs: number, untilMs?: number): Promise<void> {
      await entityEraser(table).erase(entityKey(accountId, user), nowMs, untilMs);
    },
  };
}

export function erasureQueue(table: Table) {
  async function keysDue(): Promise<Key[]> {
    const items = await queryAll(table, {
      IndexName: DUE_INDEX,
      KeyConditionExpression: 'due_pk = :pk',
      ExpressionAttributeValues: { ':pk': ERASURE_DUE_PK },
      ConsistentRead: false,
    });
    return items.map(({ pk, sk }) => ({ pk, sk }));
  }
  const update = ({ account_id, erasure_id }: ErasedPerson, input: Parameters<typeof updateItem>[2]) =>
    updateItem(table, erasureKey(account_id, erasure_id), input);

  return {
    async pending(): Promise<ErasedPerson[]> {
      const keys = await keysDue();
      const found = await batchGet(table, keys);
      return keys.flatMap((key) => {
        const item = found(key);
        return item?.user === undefined ? [] : [toPerson(item)];
      });
    },

    async join(person: ErasedPerson, walk: string): Promise<void> {
      await update(person, { UpdateExpression: 'SET walk = :walk', ExpressionAttributeValues: { ':walk': walk } });
    },

    async walk(): Promise<ErasureWalk | undefined> {
      const item = await getItem(table, erasePassKey);
      if (!item) return undefined;
      const { begun_at, position, looked_at, used_until_ms } = item as unknown as ErasureWalk;
      return { begun_at, position, looked_at, used_until_ms };
    },

    async saveWalk(walk: ErasureWalk): Promise<void> {
      await putItem(table, { ...erasePassKey, entity: 'erasure-pass', ...walk });
    },

    async progress(person: ErasedPerson, lookedAt: number, erased: Readonly<Record<string, number>>): Promise<void> {
      const counts = Object.entries(erased);
      const names = Object.fromEntries(counts.map(([kind], at) => [`#${at}`, `n_${kind}`]));
      await update(person, {
        UpdateExpression: `ADD ${['looked_at :looked', ...counts.map((_, at) => `#${at} :${at}`)].join(', ')}`,
        ...(counts.length > 0 ? { ExpressionAttributeNames: names } : {}),
        ExpressionAttributeValues: {
          ':looked': lookedAt,
          ...Object.fromEntries(counts.map(([, count], at) => [`:${at}`, count])),
        },
      });
    },

    /** Done: from now on nothing tells who it was. */
    async complete(person: ErasedPerson, lookedAt: number, at: string): Promise<void> {
      await update(person, {
        UpdateExpression:
          'SET #status = :completed, completed_at = :at ADD looked_at :looked REMOVE #user, walk, due_pk, due_sk',
        ExpressionAttributeNames: { '#status': 'status', '#user': 'user' },
        ExpressionAttributeValues: { ':completed': 'completed', ':at': at, ':looked': lookedAt },
      });
    },
  };
}
