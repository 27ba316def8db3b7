import type { AdminWiring } from '../../shared/runtime/admin-wiring';
import { createAccount, createKey, removeAccount, revokeKey } from '../../shared/usecases/accounts/administer-accounts';

/** An account for one run of the checks. */
export interface ThrowAwayAccount {
  readonly accountId: string;
  readonly key: string;
  newKey(label: string): Promise<{ readonly key: string; readonly keyId: string }>;
  revoke(keyId: string): Promise<void>;
  /** Removes the account and all its keys. What was screened expires by itself. */
  remove(): Promise<void>;
}

export async function throwAwayAccount(admin: AdminWiring, name: string): Promise<ThrowAwayAccount> {
  const { account_id: accountId } = await createAccount(admin, name);
  const newKey = async (label: string) => {
    const { key, record } = await createKey(admin, accountId, label);
    return { key, keyId: record.key_id };
  };
  return {
    accountId,
    key: (await newKey('verify')).key,
    newKey,
    revoke: async (keyId) => void (await revokeKey(admin, accountId, keyId)),
    remove: () => removeAccount(admin, accountId),
  };
}
