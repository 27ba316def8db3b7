import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { EntityProfile } from '../../domain/entities/entity-history';
import { kindOfKey, userOf } from '../../domain/entities/entity-ref';
import type { EntityLink, ScreenedLinks } from '../../domain/entities/seen-with';
import { unavailable } from '../../domain/errors';
import { linkedEntities } from '../../domain/screening/subjects/record-members';
import { lowestUlid, ulidTimeMs } from '../../domain/ulid';
import type { ChangeRecord } from '../change-record';
import { readProfile } from '../entities/entity-store';
import { unpackEntities } from '../entities/packed-entities';
import { accountOfPk, entityKey, HISTORY_INDEX, historyPk, linkKey, linksPk, resultKey } from '../keys';
import { toScreening } from '../screening/screening-reader';
import type { EntityItem } from '../sdk/attribute-value';
import { batchGet } from '../sdk/batch-get';
import { reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { queryPage, updateItem } from '../sdk/table-calls';

/** Longer than an entity is remembered: a link is written when a pair is first seen, and not again while it lasts. */
export const LINK_LIFE_MS = 400 * 86_400_000;

/** Links in a change of the table: of a new screening, its user with everything they are first seen with. */
export function readLinks({ eventName, dynamodb }: ChangeRecord): ScreenedLinks | undefined {
  const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
  if (eventName !== 'INSERT' || image?.linked === undefined || image.entity?.S !== 'screening') return undefined;
  const item = unmarshall(image);
  const record = toScreening(item);
  const user = userOf(record);
  if (user === undefined) return undefined;
  const [account_id, since_ms] = [accountOfPk(item.pk), record.screened_at_ms];
  const links = linkedEntities(record).map((entity) => ({ account_id, entity, user, since_ms }));
  return { account_id, ulid: record.ulid, links };
}

export function linkWriter(table: Table) {
  return {
    async stored(screenings: readonly ScreenedLinks[]): Promise<(screening: ScreenedLinks) => boolean> {
      const keyOf = ({ account_id, ulid }: ScreenedLinks): Key => resultKey(account_id, ulid);
      const found = await batchGet(table, screenings.map(keyOf));
      return (screening) => found(keyOf(screening)) !== undefined;
    },

    /** Remembers a link; one that is known keeps its beginning. */
    async put({ account_id, entity, user, since_ms }: EntityLink): Promise<void> {
      await updateItem(table, linkKey(account_id, entity, user), {
        UpdateExpression: 'SET since_ms = if_not_exists(since_ms, :since), entity = :entity, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':since': since_ms,
          ':entity': 'link',
          ':ttl': Math.ceil((since_ms + LINK_LIFE_MS) / 1000),
        },
      });
    },
  };
}

export function linkReader(table: Table) {
  return {
    /** Entities that a user was last seen with, and since when, as far as the latest screenings tell. */
    async entitiesOf(accountId: string, user: string, limit: number) {
      const { Items: items = [], LastEvaluatedKey: more } = await queryPage(table, {
        IndexName: HISTORY_INDEX,
        KeyConditionExpression: 'history_pk = :pk AND ulid > :first',
        ExpressionAttributeValues: { ':pk': historyPk(accountId, user), ':first': lowestUlid(0) },
        ScanIndexForward: false,
        ConsistentRead: false,
        Limit: limit,
      });
      const since = new Map<string, number>();
      for (const { ulid, entities } of items) {
        for (const key of unpackEntities(entities)) if (kindOfKey(key) !== 'user') since.set(key, ulidTimeMs(ulid));
      }
      return { since, isCut: more !== undefined };
    },

    async usersOf(accountId: string, entity: string, limit: number): Promise<EntityLink[]> {
      const { Items: items = [] } = await queryPage(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': linksPk(accountId, entity) },
        Limit: limit,
      });
      return items.map(({ sk, since_ms }) => ({ account_id: accountId, entity, user: sk, since_ms }));
    },

    /**
     * Profiles of entities, by key; those that were forgotten are left out. Counters have up to 38 digits, so items
     * are read as DynamoDB sends them.
     */
    async profiles(accountId: string, keys: readonly string[], nowMs: number): Promise<Map<string, EntityProfile>> {
      const profiles = new Map<string, EntityProfile>();
      if (keys.length === 0) return profiles;
      const Keys = keys.map((key) => {
        const { pk, sk } = entityKey(accountId, key);
        return { pk: { S: pk }, sk: { S: sk } };
      });
      const command = new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys, ConsistentRead: true } } });
      const { Responses, UnprocessedKeys: left = {} } = await reach(() => table.client.send(command));
      if (Object.keys(left).length > 0) throw unavailable(new Error('DynamoDB had no time for all entities'));
      const items = new Map((Responses?.[table.name] ?? []).map((item) => [item.pk?.S, item as EntityItem]));
      for (const key of keys) {
        const item = items.get(entityKey(accountId, key).pk);
        if (item !== undefined) profiles.set(key, readProfile(kindOfKey(key), item, nowMs));
      }
      return profiles;
    },
  };
}
