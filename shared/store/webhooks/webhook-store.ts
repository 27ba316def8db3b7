import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import type { Sealer } from '../../domain/sealer';
import {
  type DisableReason,
  MAX_ENDPOINTS_PER_ACCOUNT,
  type NewEndpoint,
  type SecretEndpoint,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint';
import { recordAnswerItem } from '../idempotency-store';
import { ENDPOINT_SK, webhookCountKey, webhookKey, webhooksPk } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, isAccepted, queryPrefix, updateItem } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';

/** The context that a secret is sealed with: ciphertext moved to another endpoint or account does not open. */
export const secretContext = (accountId: string, webhookId: string): string =>
  `webhook-secret/${accountId}/${webhookId}`;

function fromItem(item: Record<string, unknown>): WebhookEndpoint {
  const { webhook_id, url, events, label, status, created_at, disabled_at, disabled_reason } =
    item as unknown as WebhookEndpoint;
  const disabled = disabled_at && disabled_reason ? { disabled_at, disabled_reason } : {};
  return { webhook_id, url, events, label, status, created_at, ...disabled };
}

function countItem(accountId: string, step: 1 | -1): TransactItem {
  const hasRoom = 'attribute_not_exists(endpoints) OR endpoints < :max';
  return {
    Update: {
      Key: webhookCountKey(accountId),
      UpdateExpression: 'SET entity = :entity ADD endpoints :step',
      ExpressionAttributeValues: {
        ':entity': 'webhook-count',
        ':step': step,
        ...(step === 1 ? { ':max': MAX_ENDPOINTS_PER_ACCOUNT } : {}),
      },
      ...(step === 1 ? { ConditionExpression: hasRoom } : {}),
    },
  };
}

export function webhookReader(table: Table) {
  return {
    async find(accountId: string, webhookId: string): Promise<WebhookEndpoint | undefined> {
      const item = await getItem(table, webhookKey(accountId, webhookId));
      return item && fromItem(item);
    },

    async list(accountId: string): Promise<WebhookEndpoint[]> {
      return (await queryPrefix(table, webhooksPk(accountId), ENDPOINT_SK)).map(fromItem);
    },
  };
}

/** Removes endpoints; it can neither read nor create one. */
export function webhookRemover(table: Table) {
  return {
    async remove(accountId: string, webhookId: string): Promise<boolean> {
      const outcome = await transact(table, [
        { Delete: { Key: webhookKey(accountId, webhookId), ConditionExpression: 'attribute_exists(pk)' } },
        countItem(accountId, -1),
      ]);
      return outcome.committed;
    },
  };
}

/** An endpoint with its secrets; only for the dispatcher. */
export async function openEndpoint(
  sealer: Sealer,
  accountId: string,
  item: Record<string, unknown>,
): Promise<SecretEndpoint> {
  const endpoint = fromItem(item);
  const { secret, previous_secret, previous_until_ms } = item as {
    readonly secret: string;
    readonly previous_secret?: string;
    readonly previous_until_ms: number;
  };
  const context = secretContext(accountId, endpoint.webhook_id);
  const signing_secret = await sealer.open(secret, context);
  if (!previous_secret) return { ...endpoint, signing_secret };
  const previous = { secret: await sealer.open(previous_secret, context), untilMs: previous_until_ms };
  return { ...endpoint, signing_secret, previous };
}

/** Endpoints with their secrets, and the permission to disable one; only for the dispatcher. */
export function webhookSender(table: Table, sealer: Sealer) {
  return {
    async find(accountId: string, webhookId: string): Promise<SecretEndpoint | undefined> {
      const item = await getItem(table, webhookKey(accountId, webhookId));
      return item && openEndpoint(sealer, accountId, item);
    },

    /** Whether this call disabled it: a deleted or disabled one stays as it is. */
    async disable(accountId: string, webhookId: string, reason: DisableReason, nowMs: number): Promise<boolean> {
      return await isAccepted(
        updateItem(table, webhookKey(accountId, webhookId), {
          UpdateExpression: 'SET #status = :disabled, disabled_at = :at, disabled_reason = :reason',
          ConditionExpression: '#status = :enabled',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':disabled': 'disabled',
            ':enabled': 'enabled',
            ':at': new Date(nowMs).toISOString(),
            ':reason': reason,
          },
        }),
      );
    },
  };
}

/** Gives endpoints new secrets; only for administrators. */
export function webhookSecretRotator(table: Table, sealer: Sealer) {
  return {
    /** Whether there is such an endpoint, and nobody else rotated it at the same time. */
    async rotate(accountId: string, webhookId: string, secret: string, previousUntilMs: number): Promise<boolean> {
      const item = await getItem(table, webhookKey(accountId, webhookId));
      if (!item) return false;
      return await isAccepted(
        updateItem(table, webhookKey(accountId, webhookId), {
          UpdateExpression: 'SET secret = :secret, previous_secret = :old, previous_until_ms = :until',
          ConditionExpression: 'secret = :old',
          ExpressionAttributeValues: {
            ':secret': await sealer.seal(secret, secretContext(accountId, webhookId)),
            ':old': item.secret,
            ':until': previousUntilMs,
          },
        }),
      );
    },
  };
}

/** Registers endpoints; besides the sender, the only store that sees a secret in the clear. */
export function webhookRegistrar(table: Table, sealer: Sealer) {
  return {
    /** Whether the account had room for one more endpoint; nothing is written if not. */
    async insert(
      accountId: string,
      { endpoint, secret }: NewEndpoint,
      nowMs: number,
      record?: IdempotencyRecord,
    ): Promise<boolean> {
      const item = {
        ...webhookKey(accountId, endpoint.webhook_id),
        entity: 'webhook',
        account_id: accountId,
        ...endpoint,
        secret: await sealer.seal(secret, secretContext(accountId, endpoint.webhook_id)),
      };
      const claim = record ? [await recordAnswerItem(sealer, accountId, record, nowMs)] : [];
      const put = { Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' } };
      const outcome = await transact(table, [countItem(accountId, 1), put, ...claim]);
      if (outcome.committed) return true;
      const claimPosition = 2;
      if (outcome.failed.includes(claimPosition)) throw new ClaimTaken();
      return false;
    },
  };
}
