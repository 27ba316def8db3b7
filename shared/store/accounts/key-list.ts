import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ListedApiKey } from '../../domain/accounts/api-key';
import { roleOrAdmin } from '../../domain/accounts/role';
import { API_KEY_SK, accountPk, keyUsePk } from '../keys';
import { reach, type Table } from '../sdk/client';

/** Everything of a key but its hash, which is not even read. */
const SHOWN = ['key_id', 'account_id', 'hint', 'label', 'created_at', 'revoked_at', 'role', 'person', 'expires_at'];

/** Reads an account's keys for people to look at. */
export function keyLister(table: Table) {
  const queryAll = async (pk: string, prefix: string, names: readonly string[]): Promise<Record<string, unknown>[]> => {
    const items: Record<string, unknown>[] = [];
    let from: Record<string, unknown> | undefined;
    do {
      const command: QueryCommand = new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ProjectionExpression: names.map((_, i) => `#${i}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
        ConsistentRead: true,
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const page = await reach(() => table.client.send(command));
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from);
    return items;
  };
  return {
    async list(accountId: string): Promise<Omit<ListedApiKey, 'key_hash'>[]> {
      const [keys, uses] = await Promise.all([
        queryAll(accountPk(accountId), API_KEY_SK, SHOWN),
        queryAll(keyUsePk(accountId), 'key_', ['sk', 'last_used_at']),
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
