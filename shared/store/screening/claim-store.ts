import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ClaimHolder, IDEMPOTENCY_WINDOW_MS, type IdempotencyClaim } from '../../domain/idempotency';
import { idempotencyKey } from '../keys';
import { abortAfter, falseIfRefused, reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';

export interface ClaimShelf {
  readonly key: (accountId: string, scope: string) => Key;
  readonly entity: string;
  readonly lifeMs: number;
  readonly note?: object;
}

const IDEMPOTENCY_KEYS: ClaimShelf = { key: idempotencyKey, entity: 'claim', lifeMs: IDEMPOTENCY_WINDOW_MS };

/** Claims of keys by screenings. A repeat is answered from the stored screening, so a claim holds no response. */
export function claimStore(table: Table, { key, entity, lifeMs, note }: ClaimShelf = IDEMPOTENCY_KEYS) {
  const item = (accountId: string, claim: IdempotencyClaim, ulid: string, nowMs: number) => ({
    ...note,
    ...key(accountId, claim.scope),
    entity,
    ulid,
    body_hash: claim.body_hash,
    claimed_at_ms: nowMs,
    expires_at_ms: nowMs + lifeMs,
    ttl: Math.ceil((nowMs + lifeMs) / 1000),
  });

  async function put(input: PutCommand['input'], limitMs: number): Promise<ClaimHolder | undefined> {
    const command = new PutCommand({ ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    try {
      await reach(() => abortAfter(limitMs, (options) => table.client.send(command, options)));
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      // The document client does not unmarshall the item of an exception.
      return unmarshall(error.Item) as ClaimHolder;
    }
  }

  return {
    /** Takes the key for a screening; returns the holder if somebody else has it. */
    async claim(
      accountId: string,
      claim: IdempotencyClaim,
      { ulid, nowMs, limitMs }: { readonly ulid: string; readonly nowMs: number; readonly limitMs: number },
    ): Promise<ClaimHolder | undefined> {
      const holder = await put(
        {
          TableName: table.name,
          Item: item(accountId, claim, ulid, nowMs),
          ConditionExpression: 'attribute_not_exists(pk) OR expires_at_ms <= :now',
          ExpressionAttributeValues: { ':now': nowMs },
        },
        limitMs,
      );
      // A retry by the SDK meets the claim that it made itself.
      return holder?.ulid === ulid ? undefined : holder;
    },

    /** Continues where a holder died: same screening ID, new claim. False if somebody else was faster. */
    async takeOver(
      accountId: string,
      claim: IdempotencyClaim,
      { ulid, claimed_at_ms }: ClaimHolder,
      { nowMs, limitMs }: { readonly nowMs: number; readonly limitMs: number },
    ): Promise<boolean> {
      const putting = put(
        {
          TableName: table.name,
          Item: item(accountId, claim, ulid, nowMs),
          ConditionExpression: 'ulid = :ulid AND claimed_at_ms = :then',
          ExpressionAttributeValues: { ':ulid': ulid, ':then': claimed_at_ms },
        },
        limitMs,
      );
      // Refused without a holder: the key was released in between.
      return putting.then((holder) => holder === undefined, falseIfRefused);
    },

    /** Releases the key after a failed screening, so that a retry need not wait. */
    async release(accountId: string, claim: IdempotencyClaim, ulid: string, limitMs: number): Promise<void> {
      const command = new DeleteCommand({
        TableName: table.name,
        Key: { ...key(accountId, claim.scope) },
        ConditionExpression: 'ulid = :ulid',
        ExpressionAttributeValues: { ':ulid': ulid },
      });
      await abortAfter(limitMs, (options) => table.client.send(command, options)).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
  };
}
