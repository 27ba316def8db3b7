import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
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
import { falseIfRefused, reach, type Table } from '../sdk/client';
import { type TransactItem, transact } from '../sdk/transact';
import { queryAll } from './query-all';

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
  const get = async (key: object): Promise<Record<string, unknown> | undefined> => {
    const command = new GetCommand({ TableName: table.name, Key: { ...key }, ConsistentRead: true });
    return (await reach(() => table.client.send(command))).Item;
  };
  return {
    /** The owner of a key that has not been revoked. */
    async ownerOf(keyHash: string): Promise<KeyOwner | undefined> {
      const item = await get(keyHashKey(keyHash));
      return item && { account_id: item.account_id as string, key_id: item.key_id as string, ...holderOf(item) };
    },
    async account(accountId: string): Promise<Account | undefined> {
      const item = await get(accountKey(accountId));
      return item && toAccount(item);
    },
  };
}

/** Records when keys are used: the only thing that the authorizer may write. */
export function keyUseRecorder(table: Table) {
  return {
    /** Whether this hour was new; a later one that is known already stays. */
    async recordUse(accountId: string, keyId: string, hour: string): Promise<boolean> {
      const command = new PutCommand({
        TableName: table.name,
        Item: { ...keyUseKey(accountId, keyId), entity: 'key-use', last_used_at: hour },
        ConditionExpression: 'attribute_not_exists(pk) OR last_used_at < :hour',
        ExpressionAttributeValues: { ':hour': hour },
      });
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}

/** Lists account IDs and nothing else, for scheduled work that covers all accounts. */
export function accountDirectory(table: Table) {
  return {
    async accountIds(): Promise<string[]> {
      const ids: string[] = [];
      let from: Record<string, unknown> | undefined;
      do {
        const command: QueryCommand = new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk',
          ProjectionExpression: 'sk',
          ExpressionAttributeValues: { ':pk': accountDirectoryPk },
          ConsistentRead: true,
          ...(from ? { ExclusiveStartKey: from } : {}),
        });
        const page = await reach(() => table.client.send(command));
        ids.push(...(page.Items ?? []).map(({ sk }) => sk as string));
        from = page.LastEvaluatedKey;
      } while (from);
      return ids;
    },
  };
}

// A person can wait longer than a merchant's checkout.
const ADMIN_LIMIT_MS = 30_000;

/** Everything the command line does with accounts and keys; no deployed function has these permissions. */
export function accountAdminStore(table: Table) {
  const commit = (items: readonly TransactItem[]) => transact(table, items, ADMIN_LIMIT_MS);
  const put = (Item: object) => ({
    Put: { TableName: table.name, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(pk)' },
  });

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
      const items = await queryAll(table, accountDirectoryPk, 'acc_');
      return items.map(toAccount).map(({ account_id, name, created_at }) => ({ account_id, name, created_at }));
    },

    async changeSettings(accountId: string, settings: AccountSettings): Promise<void> {
      const command = new UpdateCommand({
        TableName: table.name,
        Key: accountKey(accountId),
        UpdateExpression: 'SET settings = :settings',
        ExpressionAttributeValues: { ':settings': settings },
        ConditionExpression: 'attribute_exists(pk)',
      });
      await reach(() => table.client.send(command));
    },

    async changeRateLimitKeyId(accountId: string, rateLimitKeyId: string): Promise<void> {
      const command = new UpdateCommand({
        TableName: table.name,
        Key: accountKey(accountId),
        UpdateExpression: 'SET rate_limit_key_id = :id',
        ExpressionAttributeValues: { ':id': rateLimitKeyId },
        ConditionExpression: 'attribute_exists(pk)',
      });
      await reach(() => table.client.send(command));
    },

    async insertKey(key: ApiKeyRecord): Promise<void> {
      const { account_id, key_id, key_hash, role, person, expires_at } = key;
      const outcome = await commit([
        {
          ConditionCheck: {
            TableName: table.name,
            Key: accountKey(account_id),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        put({ ...keyHashKey(key_hash), entity: 'key-hash', account_id, key_id, role, person, expires_at }),
        put({ ...apiKeyKey(account_id, key_id), entity: 'api-key', ...key }),
      ]);
      if (!outcome.committed) throw new Error('The key could not be stored');
    },

    async listKeys(accountId: string): Promise<ListedApiKey[]> {
      const [keys, uses] = await Promise.all([
        queryAll(table, accountPk(accountId), API_KEY_SK),
        queryAll(table, keyUsePk(accountId), 'key_'),
      ]);
      const usedAt = new Map(uses.map(({ sk, last_used_at }) => [sk, last_used_at as string]));
      return keys.map(toApiKey).map((key) => ({ ...key, last_used_at: usedAt.get(key.key_id) ?? null }));
    },

    /** Deletes the hash, which makes the key unknown from now on, and keeps the record for the audit trail. */
    async revokeKey(key: ApiKeyRecord, revokedAt: string): Promise<boolean> {
      const outcome = await commit([
        { Delete: { TableName: table.name, Key: keyHashKey(key.key_hash) } },
        {
          Update: {
            TableName: table.name,
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
      const remove = (Key: object): TransactItem => ({ Delete: { TableName: table.name, Key: { ...Key } } });
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
