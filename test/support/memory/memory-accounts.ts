import type { Account, AccountSettings } from '../../../shared/domain/accounts/account';
import type { ApiKeyRecord } from '../../../shared/domain/accounts/api-key';
import type { AdminDeps } from '../../../shared/usecases/accounts/administer-accounts';
import type { AuthenticateDeps } from '../../../shared/usecases/accounts/authenticate';
import type { NoteKeyUseDeps } from '../../../shared/usecases/accounts/note-key-use';

/** Accounts and their keys, as the command line, the authorizer and the training run see them. */
export type AccountsPort = AdminDeps['accounts'] &
  AuthenticateDeps['keys'] &
  NoteKeyUseDeps['uses'] & {
    accountIds(): Promise<readonly string[]>;
    listAccounts(): Promise<ReadonlyArray<Pick<Account, 'account_id' | 'name' | 'created_at'>>>;
  };

/** Accounts and keys in memory. */
export function memoryAccounts(): AccountsPort {
  const accounts = new Map<string, Account>();
  const keys = new Map<string, ApiKeyRecord>();
  const uses = new Map<string, string>();
  /** Only of keys that were not revoked. */
  const byHash = new Map<string, ApiKeyRecord>();

  const change = (accountId: string, members: Partial<Account>): void => {
    const account = accounts.get(accountId);
    if (!account) throw new Error(`There is no account ${accountId}`);
    accounts.set(accountId, { ...account, ...members });
  };
  const sorted = (): Account[] => [...accounts.values()].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));

  return {
    async insertAccount(account) {
      if (accounts.has(account.account_id)) throw new Error(`The account ${account.account_id} exists already`);
      accounts.set(account.account_id, account);
    },
    account: async (accountId) => accounts.get(accountId),
    accountIds: async () => sorted().map(({ account_id }) => account_id),
    listAccounts: async () => sorted().map(({ account_id, name, created_at }) => ({ account_id, name, created_at })),
    async changeSettings(accountId: string, settings: AccountSettings) {
      change(accountId, { settings });
    },
    async changeRateLimitKeyId(accountId, rate_limit_key_id) {
      change(accountId, { rate_limit_key_id });
    },
    async insertKey(key) {
      const isNew = !byHash.has(key.key_hash) && !keys.has(key.key_id);
      if (!accounts.has(key.account_id) || !isNew) throw new Error('The key could not be stored');
      keys.set(key.key_id, key);
      byHash.set(key.key_hash, key);
    },
    listKeys: async (accountId) =>
      [...keys.values()]
        .filter(({ account_id }) => account_id === accountId)
        .sort((a, b) => (a.key_id < b.key_id ? -1 : 1))
        .map((key) => ({ ...key, last_used_at: uses.get(key.key_id) ?? null })),
    async recordUse(_accountId, keyId, hour) {
      if ((uses.get(keyId) ?? '') >= hour) return false;
      uses.set(keyId, hour);
      return true;
    },
    async revokeKey({ account_id, key_id, key_hash }, revoked_at) {
      const known = keys.get(key_id);
      if (known?.account_id !== account_id || known.revoked_at !== null) return false;
      keys.set(key_id, { ...known, revoked_at });
      byHash.delete(key_hash);
      return true;
    },
    async deleteAccount(accountId, deleted) {
      for (const { key_id, key_hash } of deleted) {
        keys.delete(key_id);
        uses.delete(key_id);
        byHash.delete(key_hash);
      }
      accounts.delete(accountId);
    },
    async ownerOf(keyHash) {
      const owner = byHash.get(keyHash);
      if (!owner) return undefined;
      const { account_id, key_id, role, person, expires_at } = owner;
      return { account_id, key_id, role, person, expires_at };
    },
  };
}
