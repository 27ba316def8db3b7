import { setTimeout as delay } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { EarnedAttempt } from '../../domain/entities/earning';
import type { Attempt, EntityKind, EntityProfile } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { entityKey } from '../keys';
import type { EntityItem, UpdateParams } from '../sdk/attribute-value';
import { isThrottled, reach, within } from '../sdk/client';
import { earnUpdate, trustUpdate, type Unconditional } from './earn-update';
import { isOnlyListed } from './list-flags';
import { type EntityReading, readEntity } from './read-entity';
import { readProfile } from './read-profile';
import { countedBy, recordAttemptUpdate, removeAttemptUpdate } from './record-attempt-update';
import { unearnUpdate } from './standing-update';
import { stoppedElsewhereUpdate } from './stop-update';

interface EntityTable {
  /** A client that never retries: an ADD whose fate is unknown must not be sent again. */
  readonly onceClient: DynamoDBClient;
  readonly name: string;
}

const lowLevelKey = (accountId: string, entity: string) => {
  const { pk, sk } = entityKey(accountId, entity);
  return { pk: { S: pk }, sk: { S: sk } };
};

/** The domain's types are read-only; the SDK's are not. */
const sdkParams = (params: UpdateParams | Unconditional) =>
  params as unknown as Pick<
    UpdateItemCommandInput,
    'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues' | 'ConditionExpression'
  >;

/** Another request's transaction was on the same item: it takes a few milliseconds, and without a history we are blind. */
const isConflict = (error: unknown): boolean => (error as Error).name === 'TransactionConflictException';
const CONFLICT_WAITS_MS = [5, 15, 45, 90];

/** Histories of entities: each attempt is one `UpdateItem ADD` that returns the previous state. */
export function entityStore(table: EntityTable) {
  const update = (accountId: string, ref: EntityRef, params: UpdateParams, limitMs: number) => {
    const command = new UpdateItemCommand({
      TableName: table.name,
      Key: lowLevelKey(accountId, ref.key),
      ...sdkParams(params),
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const send = () => table.onceClient.send(command);
    // A throttled call was certainly not applied, so it may be retried; so may one that met a transaction on the item.
    const sent = send().catch(async (error) => {
      if (isThrottled(error)) return send();
      for (const waitMs of isConflict(error) ? CONFLICT_WAITS_MS : []) {
        await delay(waitMs);
        const again = await send().catch((next) => (isConflict(next) ? undefined : Promise.reject(next)));
        if (again !== undefined) return again;
      }
      throw error;
    });
    return within(limitMs, sent);
  };

  /** An update that no response needs: trims stale counters, earns, or counts what was stopped. */
  async function aside(
    accountId: string,
    ref: EntityRef,
    params: UpdateParams | Unconditional,
    limitMs: number,
  ): Promise<void> {
    const Key = lowLevelKey(accountId, ref.key);
    const command = new UpdateItemCommand({ TableName: table.name, Key, ...sdkParams(params) });
    await within(limitMs, table.onceClient.send(command)).catch((error) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  }

  const recorded = (
    accountId: string,
    ref: EntityRef,
    counted_by: string | undefined,
    { history, flags, trim: params }: EntityReading,
  ) => ({
    ref,
    counted_by,
    history,
    flags,
    trim: params && ((limitMs: number) => aside(accountId, ref, params, limitMs)),
  });

  return {
    /** Records the attempt on an entity, and returns the entity's history before it. */
    async recordAttempt(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number) {
      try {
        const { Attributes } = await update(accountId, ref, recordAttemptUpdate(ref.kind, attempt), limitMs);
        const item = Attributes as EntityItem | undefined;
        return recorded(accountId, ref, undefined, readEntity(ref.kind, item, attempt));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const item = (error.Item ?? {}) as EntityItem;
        const { counted_by, at_ms } = countedBy(item, attempt);
        return recorded(accountId, ref, counted_by, readEntity(ref.kind, item, attempt, at_ms));
      }
    },

    /** Takes an attempt back by adding its negated weights; doing it twice has the same effect as once. */
    async removeAttempt(
      accountId: string,
      ref: EntityRef,
      attempt: Attempt,
      { isCertain, limitMs }: { readonly isCertain: boolean; readonly limitMs: number },
    ): Promise<void> {
      await update(accountId, ref, removeAttemptUpdate(ref.kind, attempt, isCertain), limitMs).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },

    /** Makes familiar to the user what an allowed attempt used. */
    async earn(accountId: string, ref: EntityRef, earned: EarnedAttempt, limitMs: number): Promise<void> {
      const params = earnUpdate(earned);
      if (params) await aside(accountId, ref, params, limitMs);
    },

    /** Takes that back: the attempt's result was never stored. */
    async unearn(accountId: string, ref: EntityRef, record: ScreeningRecord, limitMs: number): Promise<void> {
      const params = unearnUpdate(record);
      if (params) await aside(accountId, ref, params, limitMs);
    },

    /** Starts the time for which an entity other than the user is trusted. */
    trust: (accountId: string, ref: EntityRef, atMs: number, limitMs: number): Promise<void> =>
      aside(accountId, ref, trustUpdate(atMs), limitMs),

    /** Counts on an entity other than the user that the attempt was stopped. */
    async countStopped(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<void> {
      await aside(accountId, ref, stoppedElsewhereUpdate(ref.kind, attempt), limitMs);
    },

    /** What is known of an entity as of now, in one read; undefined if it was never seen. */
    async profile(
      accountId: string,
      kind: EntityKind,
      entity: string,
      nowMs: number,
    ): Promise<EntityProfile | undefined> {
      const command = new GetItemCommand({
        TableName: table.name,
        Key: lowLevelKey(accountId, entity),
        ConsistentRead: true,
      });
      const { Item: item } = await reach(() => table.onceClient.send(command));
      return item && !isOnlyListed(item as EntityItem) ? readProfile(kind, item as EntityItem, nowMs) : undefined;
    },
  };
}
