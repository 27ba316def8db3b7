import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { entityKey } from '../keys';
import type { EntityItem, UpdateParams } from '../sdk/attribute-value';
import { within } from '../sdk/client';
import { readEntity } from './read-entity';
import { recordAttemptUpdate } from './record-attempt-update';

interface NetworkTable {
  /** A client that never retries: an ADD whose fate is unknown must not be sent again. */
  readonly onceClient: DynamoDBClient;
  readonly name: string;
}

/** A network as it was before an attempt. */
interface NetworkReading {
  readonly ref: EntityRef;
  readonly history: EntityHistory;
  /** Counts the attempt on it. */
  record(limitMs: number): Promise<void>;
}

type Wire = Readonly<Record<'pk' | 'sk', { readonly S: string }>>;

/**
 * Histories of networks. Unlike other entities they are read before they are written, because most attempts are not
 * counted on them: one read for all networks of an attempt, half a read unit each, and an update only where it counts.
 */
export function networkStore({ onceClient, name }: NetworkTable) {
  const keyOf = (accountId: string, ref: EntityRef): Wire => {
    const { pk, sk } = entityKey(accountId, ref.key);
    return { pk: { S: pk }, sk: { S: sk } };
  };

  async function update(Key: Wire, params: UpdateParams, limitMs: number): Promise<void> {
    const input = { TableName: name, Key, ...params } as unknown as UpdateItemCommandInput;
    await within(limitMs, onceClient.send(new UpdateItemCommand(input))).catch((error) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  }

  return {
    /** The networks' histories before the attempt; one that the table did not return in time is left out. */
    async read(
      accountId: string,
      refs: readonly EntityRef[],
      attempt: Attempt,
      limitMs: number,
    ): Promise<readonly NetworkReading[]> {
      const Keys = refs.map((ref) => keyOf(accountId, ref));
      // Eventually consistent: half the price, and what happened in the last milliseconds may wait.
      const command = new BatchGetItemCommand({ RequestItems: { [name]: { Keys, ConsistentRead: false } } });
      const { Responses, UnprocessedKeys } = await within(limitMs, onceClient.send(command));
      const items = (Responses?.[name] ?? []) as unknown as readonly EntityItem[];
      const left = (UnprocessedKeys?.[name]?.Keys ?? []) as unknown as readonly Wire[];
      const readings: NetworkReading[] = [];
      for (const [at, ref] of refs.entries()) {
        const Key = Keys[at] as Wire;
        if (left.some(({ pk }) => pk.S === Key.pk.S)) continue;
        const item = items.find(({ pk }) => pk !== undefined && 'S' in pk && pk.S === Key.pk.S);
        const { history, trim } = readEntity(ref.kind, item, attempt);
        const record = async (recordLimitMs: number): Promise<void> => {
          const counting = update(Key, recordAttemptUpdate(ref.kind, attempt), recordLimitMs);
          await Promise.all([counting, trim && update(Key, trim, recordLimitMs)]);
        };
        readings.push({ ref, history, record });
      }
      return readings;
    },
  };
}
