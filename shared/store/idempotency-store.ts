import { IDEMPOTENCY_WINDOW_MS, type IdempotencyRecord } from '../domain/idempotency';
import type { Sealer } from '../domain/sealer';
import { idempotencyKey } from './keys';
import type { Table } from './sdk/client';
import { getItem } from './sdk/table-calls';
import { type TransactItem, transact } from './sdk/transact';

/** For responses that show nothing that the table does not hold in the clear anyway. */
export const unsealed: Sealer = { seal: async (plain) => plain, open: async (text) => text };

export const sealContext = (accountId: string, scope: string): string => `idempotency/${accountId}/${scope}`;

export interface AnswerStorage {
  readonly table: Table;
  readonly sealer: Sealer;
}

/** The transaction item that claims a key and records its response, for 24 hours from `nowMs`. */
export async function recordAnswerItem(
  sealer: Sealer,
  accountId: string,
  record: IdempotencyRecord,
  nowMs: number,
): Promise<TransactItem> {
  const expiresAtMs = nowMs + IDEMPOTENCY_WINDOW_MS;
  return {
    Put: {
      Item: {
        ...idempotencyKey(accountId, record.scope),
        entity: 'idempotency',
        body_hash: record.body_hash,
        status: record.status,
        answer: await sealer.seal(record.body, sealContext(accountId, record.scope)),
        expires_at_ms: expiresAtMs,
        ttl: Math.ceil(expiresAtMs / 1000),
      },
      // TTL lags by days: whether a record has expired is decided by the clock, and an expired one is overwritten.
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at_ms <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  };
}

/** Records a response by itself, for effects that no single transaction can hold; false while the key has one. */
export async function recordAnswer(
  storage: AnswerStorage,
  accountId: string,
  record: IdempotencyRecord,
  nowMs: number,
): Promise<boolean> {
  const item = await recordAnswerItem(storage.sealer, accountId, record, nowMs);
  return (await transact(storage.table, [item])).committed;
}

export function idempotencyStore(table: Table, sealer: Sealer) {
  return {
    async find(accountId: string, scope: string, nowMs: number): Promise<IdempotencyRecord | undefined> {
      const item = await getItem(table, idempotencyKey(accountId, scope));
      if (!item || item.expires_at_ms <= nowMs) return undefined;
      const body = await sealer.open(item.answer, sealContext(accountId, scope));
      return { scope, body_hash: item.body_hash, status: item.status, body };
    },
  };
}
