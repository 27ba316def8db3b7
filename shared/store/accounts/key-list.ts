import type { ListedApiKey } from '../../domain/accounts/api-key';
import { roleOrAdmin } from '../../domain/accounts/role';
import { API_KEY_SK, accountPk, keyUsePk } from '../keys';
import type { Table } from '../sdk/client';
import { queryPrefix } from '../sdk/table-calls';

/** Everything of a key but its hash, which is not even read. */
const SHOWN = ['key_id', 'account_id', 'hint', 'label', 'created_at', 'revoked_at', 'role', 'person', 'expires_at'];

const only = (names: readonly string[]) => ({
  ProjectionExpression: names.map((_, at) => `#${at}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#${at}`, name])),
});

export function keyLister(table: Table) {
  return {
    async list(accountId: string): Promise<Omit<ListedApiKey, 'key_hash'>[]> {
      const [keys, uses] = await Promise.all([
        queryPrefix(table, accountPk(accountId), API_KEY_SK, only(SHOWN)),
        queryPrefix(table, keyUsePk(accountId), 'key_', only(['sk', 'last_used_at'])),
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
