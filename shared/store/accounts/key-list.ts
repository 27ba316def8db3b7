import type { ListedApiKey } from '../../domain/accounts/api-key';
import { roleOrAdmin } from '../../domain/accounts/role';
import { API_KEY_SK, accountPk, keyUsePk } from '../keys';
import type { Table } from '../sdk/client';
import { queryAll } from './query-all';

/** Everything of a key but its hash, which is not even read. */
const SHOWN = ['key_id', 'account_id', 'hint', 'label', 'created_at', 'revoked_at', 'role', 'person', 'expires_at'];

export function keyLister(table: Table) {
  return {
    async list(accountId: string): Promise<Omit<ListedApiKey, 'key_hash'>[]> {
      const [keys, uses] = await Promise.all([
        queryAll(table, accountPk(accountId), API_KEY_SK, SHOWN),
        queryAll(table, keyUsePk(accountId), 'key_', ['sk', 'last_used_at']),
      ]);
      const usedAt = new Map(uses.map(({ sk, last_used_at }) => [sk, last_used_at as string]));
      return keys.map((item) => {
        const { role, person = null, expires_at = null, ...key } = item as unknown as ListedApiKey;
        const last_used_at = usedAt.get(key.key_id) ?? null;
        return { ...key, role: roleOrAdmin(role), person, expires_at, last_used_at };
      });
    },
  };
}
