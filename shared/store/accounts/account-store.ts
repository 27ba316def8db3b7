import type { Account, AccountSettings } from '../../domain/accounts/account';
import type { ApiKeyRecord, ListedApiKey } from '../../domain/accounts/api-key';
import { type Role, roleOrAdmin } from '../../domain/accounts/role';
import {
  API_KEY_SK,
  accountDirectoryKey,
  accountDirectoryPk,
  accountKey,
  accountPk,
  apiKeyKey,
  keyHashKey,
  keyUseKey,
  keyUsePk,
} from '../keys';
import type { Table } from '../sdk/client';
import { getItem, isAccepted, putItem, queryAll, queryPrefix, updateItem } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';

function toAccount(item: Record<string, unknown>): Account {
  const { account_id, name, created_at, settings, rate_limit_key, rate_limit_key_id } = item as unknown as Account;
  return { account_id, name, created_at, settings, rate_limit_key, rate_limit_key_id };
}

function toApiKey(item: Record<string, unknown>): ApiKeyRecord {
  const { key_id, account_id, key_hash, hint, label, created_at, revoked_at } = item as unknown as ApiKeyRecord;
  return { key_id, account_id, key_hash, hint, label, created_at, revoked_at, ...holderOf(item) };
}

/** Members that were added to keys later; older keys have none of them. */
function holderOf(item: Record<string, unknown>): Pick<ApiKeyRecord, 'role' | 'person' | 'expires_at'> {
  const { role, person = null, expires_at = null } = item as Partial<ApiKeyRecord>;
  return { role: roleOrAdmin(role), person, expires_at };
}

export interface KeyOwner {
  readonly account_id: string;
  readonly key_id: string;
  readonly role: Role;
  readonly person: string | null;
  readonly expires_at: string | null;
}

/** The authorizer's read access: a key by its hash, an account by its ID. */
export function keyReader(table: Table) {
  return {
    /** The owner of a key that has not been revoked. */
    async ownerOf(keyHash: string): Promise<KeyOwner | undefined> {
      const item = await getItem(table, keyHashKey(keyHash));
      return item && { account_id: item.account_id, key_id: item.key_id, ...holderOf(item) };
    },
    async account(accountId: string): Promise<Account | undefined> {
      const item = await getItem(table, accountKey(accountId));
      return item && toAccount(item);
    },
  };
}

/** Records when keys are used: the only thing that the authorizer may write. */
export function keyUseRecorder(table: Table) {
  return {
    /** Whether this hour was new; a later one that is known already stays. */
    async recordUse(accountId: string, keyId: string, hour: string): Promise<boolean> {
      const use = { ...keyUseKey(accountId, keyId), entity: 'key-use', last_used_at: hour };
      const put = putItem(table, use, {
        ConditionExpression: 'attribute_not_exists(pk) OR last_used_at < :hour',
        ExpressionAttributeValues: { ':hour': hour },
      });
      return await isAccepted(put);
    },
  };
}

/** Lists account IDs and nothing else, for scheduled work that covers all accounts. */
export function accountDirectory(table: Table) {
  return {
    async accountIds(): Promise<string[]> {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ProjectionExpression: 'sk',
        ExpressionAttributeValues: { ':pk': accountDirectoryPk },
      });
      return items.map(({ sk }) => sk);
    },
  };
}

// A person can wait longer than a merchant's checkout.
const ADMIN_LIMIT_MS = 30_000;

/** Everything the command line does with accounts and keys; no deployed function has these permissions. */
export function accountAdminStore(table: Table) {
  const commit = (items: readonly TransactItem[]) => transact(table, items, ADMIN_LIMIT_MS);
  const put = (Item: object) => ({ Put: { Item: { ...Item }, ConditionExpression: 'attribute_not_exists(pk)' } });

  return {
    async insertAccount(account: Account): Promise<void> {
      const { account_id, name, created_at } = account;
      const outcome = await commit([
        put({ ...accountKey(account_id), entity: 'account', ...account }),
        put({ ...accountDirectoryKey(account_id), entity: 'account-entry', account_id, name, created_at }),
      ]);
      if (!outcome.committed) throw new Error(`The account ${account_id} exists already`);
    },

    account: keyReader(table).account,

    async listAccounts(): Promise<Array<Pick<Account, 'account_id' | 'name' | 'created_at'>>> {
      const items = await queryPrefix(table, accountDirectoryPk, 'acc_');
      return items.map(toAccount).map(({ account_id, name, created_at }) => ({ account_id, name, created_at }));
    },

    async changeSettings(accountId: string, settings: AccountSettings): Promise<void> {
      await updateItem(table, accountKey(accountId), {
        UpdateExpression: 'SET settings = :settings',
        ExpressionAttributeValues: { ':settings': settings },
        ConditionExpression: 'attribute_exists(pk)',
      });
    },

    async changeRateLimitKeyId(accountId: string, rateLimitKeyId: string): Promise<void> {
      await updateItem(table, accountKey(accountId), {
        UpdateExpression: 'SET rate_limit_key_id = :id',
        ExpressionAttributeValues: { ':id': rateLimitKeyId },
        ConditionExpression: 'attribute_exists(pk)',
      });
    },

    async insertKey(key: ApiKeyRecord): Promise<void> {
      const { account_id, key_id, key_hash, role, person, expires_at } = key;
      const outcome = await commit([
        { ConditionCheck: { Key: accountKey(account_id), ConditionExpression: 'attribute_exists(pk)' } },
        put({ ...keyHashKey(key_hash), entity: 'key-hash', account_id, key_id, role, person, expires_at }),
        put({ ...apiKeyKey(account_id, key_id), entity: 'api-key', ...key }),
      ]);
      if (!outcome.committed) throw new Error('The key could not be stored');
    },

    async listKeys(accountId: string): Promise<ListedApiKey[]> {
      const [keys, uses] = await Promise.all([
        queryPrefix(table, accountPk(accountId), API_KEY_SK),
        queryPrefix(table, keyUsePk(accountId), 'key_'),
      ]);
      const usedAt = new Map(uses.map(({ sk, last_used_at }) => [sk, last_used_at as string]));
      return keys.map(toApiKey).map((key) => ({ ...key, last_used_at: usedAt.get(key.key_id) ?? null }));
    },

    /** Deletes the hash, which makes the key unknown from now on, and keeps the record for the audit trail. */
    async revokeKey(key: ApiKeyRecord, revokedAt: string): Promise<boolean> {
      const outcome = await commit([
        { Delete: { Key: keyHashKey(key.key_hash) } },
        {
          Update: {
            Key: apiKeyKey(key.account_id, key.key_id),
            UpdateExpression: 'SET revoked_at = :at',
            ConditionExpression: 'attribute_exists(pk) AND revoked_at = :never',
            ExpressionAttributeValues: { ':at': revokedAt, ':never': null },
          },
        },
      ]);
      return outcome.committed;
    },

    /** Keys first, so that no key is left that leads to nowhere; the account itself, and its place in the list, last. */
    async deleteAccount(accountId: string, keys: readonly ApiKeyRecord[]): Promise<void> {
      const remove = (Key: object): TransactItem => ({ Delete: { Key: { ...Key } } });
      for (const { key_hash, key_id } of keys) {
        await commit([
          remove(keyHashKey(key_hash)),
          remove(apiKeyKey(accountId, key_id)),
          remove(keyUseKey(accountId, key_id)),
        ]);
      }
      await commit([remove(accountKey(accountId)), remove(accountDirectoryKey(accountId))]);
    },
  };
}

export type AccountAdminStore = ReturnType<typeof accountAdminStore>;
