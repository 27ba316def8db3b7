import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ClaimHolder, IDEMPOTENCY_WINDOW_MS, type IdempotencyClaim } from '../../domain/idempotency';
import { idempotencyKey } from '../keys';
import { abortAfter, falseIfRefused, reach, type Table } from '../sdk/client';

/** Claims of keys by screenings. A repeat is answered from the stored screening itself, so a claim holds no answer. */
export function claimStore(table: Table) {
  const item = (accountId: string, claim: IdempotencyClaim, ulid: string, nowMs: number) => ({
    ...idempotencyKey(accountId, claim.scope),
    entity: 'claim',
    ulid,
    body_hash: claim.body_hash,
    claimed_at_ms: nowMs,
    expires_at_ms: nowMs + IDEMPOTENCY_WINDOW_MS,
    ttl: Math.ceil((nowMs + IDEMPOTENCY_WINDOW_MS) / 1000),
  });

  async function put(input: PutCommand['input'], limitMs: number): Promise<ClaimHolder | undefined> {
    const command = new PutCommand({ ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    try {
      await reach(() => abortAfter(limitMs, (options) => table.client.send(command, options)));
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      // The document client leaves what an exception carries as DynamoDB sent it.
      return unmarshall(error.Item) as ClaimHolder;
    }
  }

  return {
    /** Takes the key for a screening; returns who holds it, when somebody else does. */
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
      // A retry of the SDK's own meets the claim it made itself.
      return holder?.ulid === ulid ? undefined : holder;
    },

    /** Goes on where a holder died: same screening id, new claim. False when somebody else was faster. */
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
      // Refused without a holder: the key was given back in between.
      return putting.then((holder) => holder === undefined, falseIfRefused);
    },

    /** Gives the key back after a screening that came to nothing, so that a retry need not wait. */
    async release(accountId: string, claim: IdempotencyClaim, ulid: string, limitMs: number): Promise<void> {
      const command = new DeleteCommand({
        TableName: table.name,
        Key: idempotencyKey(accountId, claim.scope),
        ConditionExpression: 'ulid = :ulid',
        ExpressionAttributeValues: { ':ulid': ulid },
      });
      await abortAfter(limitMs, (options) => table.client.send(command, options)).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
  };
}
