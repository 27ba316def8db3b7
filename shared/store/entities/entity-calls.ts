import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { entityKey } from '../keys';
import type { EntityItem, UpdateParams } from '../sdk/attribute-value';
import { within } from '../sdk/client';
import type { Unconditional } from './earn-update';

export interface EntityTable {
  /** A client that never retries: an ADD whose fate is unknown must not be sent again. */
  readonly onceClient: DynamoDBClient;
  readonly name: string;
}

/** An item as an update found it; if its condition refused the update, that already includes the attempt. */
export interface Updated {
  readonly item: EntityItem | undefined;
  readonly isApplied: boolean;
}

export interface EntityUpdate {
  readonly entity: string;
  readonly params: UpdateParams | Unconditional;
}

export type WireKey = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

export const lowLevelKey = (accountId: string, entity: string): WireKey => {
  const { pk, sk } = entityKey(accountId, entity);
  return { pk: { S: pk }, sk: { S: sk } };
};

/** Another request's transaction was on the same item: it takes a few milliseconds, and without a history we are blind. */
const isConflict = (error: unknown): boolean => (error as Error).name === 'TransactionConflictException';
const CONFLICT_WAITS_MS = [5, 15, 45, 90];

/** Calls on the items of entities, in DynamoDB's own form: the domain's types are read-only, the SDK's are not. */
export function entityCalls({ onceClient, name }: EntityTable) {
  const inputOf = (accountId: string, { entity, params }: EntityUpdate) =>
    ({ TableName: name, Key: lowLevelKey(accountId, entity), ...params }) as unknown as UpdateItemCommandInput;

  return {
    /** Updates an item and returns its previous state; retried while it meets a transaction, but not if it is throttled. */
    async record(accountId: string, update: EntityUpdate): Promise<Updated> {
      const input = inputOf(accountId, update);
      input.ReturnValues = 'ALL_OLD';
      input.ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
      const command = new UpdateItemCommand(input);
      for (let conflicts = 0; ; conflicts++) {
        try {
          const { Attributes } = await onceClient.send(command);
          return { item: Attributes as EntityItem | undefined, isApplied: true };
        } catch (error) {
          if (error instanceof ConditionalCheckFailedException) {
            return { item: (error.Item ?? {}) as EntityItem, isApplied: false };
          }
          const waitMs = CONFLICT_WAITS_MS[conflicts];
          if (waitMs === undefined || !isConflict(error)) throw error;
          await delay(waitMs);
        }
      }
    },

    /** An update that no response needs: trims stale counters, earns, or counts what was stopped. */
    async aside(accountId: string, update: EntityUpdate, limitMs: number): Promise<void> {
      await within(limitMs, onceClient.send(new UpdateItemCommand(inputOf(accountId, update)))).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },

    /** Items in the order of their names; undefined if the table did not return all of them. */
    async read(
      accountId: string,
      entities: readonly string[],
      ConsistentRead: boolean,
    ): Promise<ReadonlyArray<EntityItem | undefined> | undefined> {
      const Keys = entities.map((entity) => lowLevelKey(accountId, entity));
      const command = new BatchGetItemCommand({ RequestItems: { [name]: { Keys, ConsistentRead } } });
      const { Responses, UnprocessedKeys } = await onceClient.send(command);
      if ((UnprocessedKeys?.[name]?.Keys ?? []).length > 0) return undefined;
      const items = (Responses?.[name] ?? []) as unknown as readonly EntityItem[];
      return Keys.map(({ pk }) => items.find((item) => item.pk !== undefined && 'S' in item.pk && item.pk.S === pk.S));
    },

    /** All updates or none. */
    async together(accountId: string, updates: readonly EntityUpdate[]): Promise<void> {
      const TransactItems = updates.map((update) => ({ Update: inputOf(accountId, update) }));
      await onceClient.send(new TransactWriteItemsCommand({ TransactItems } as TransactWriteItemsCommandInput));
    },
  };
}

export type EntityCalls = ReturnType<typeof entityCalls>;
