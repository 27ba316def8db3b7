import type { Provider } from '../../shared/domain/outcomes/processors/notification';
import type { AdminWiring } from '../../shared/runtime/admin-wiring';
import { newId } from '../../shared/runtime/ids';
import { createAccount, createKey, removeAccount, revokeKey } from '../../shared/usecases/accounts/administer-accounts';

/** An account for one run of the checks. */
export interface ThrowAwayAccount {
  readonly accountId: string;
  readonly key: string;
  newKey(label: string): Promise<{ readonly key: string; readonly keyId: string }>;
  revoke(keyId: string): Promise<void>;
  /** An address for notifications of a payment processor. */
  newInbound(provider: Provider, secret: string): Promise<{ readonly id: string; remove(): Promise<void> }>;
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
    async newInbound(provider, secret) {
      const nowMs = admin.clock.now();
      const id = newId('in', nowMs);
      const created_at = new Date(nowMs).toISOString();
      await admin.inbound.create({ inbound_id: id, account_id: accountId, provider, created_at }, secret);
      return { id, remove: async () => void (await admin.inbound.remove(accountId, id)) };
    },
    remove: () => removeAccount(admin, accountId),
  };
}
