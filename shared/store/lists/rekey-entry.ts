import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { hasFlags, type ListType } from '../../domain/lists/list-definition';
import { flagUpdate } from '../entities/list-flags';
import { renewedKey } from '../entities/rekey-item';
import { entityKey, LIST_PURGE_SK, listKey, PARTITION } from '../keys';
import type { Table } from '../sdk/client';
import { getItem } from '../sdk/table-calls';
import { transact } from '../sdk/transact';

type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function staleEntry(pseudonyms: Pseudonyms, item: WireItem): { pk: string; sk: string; renewed: string } | undefined {
  const [pk, sk] = [item.pk?.S, item.sk?.S];
  if (typeof pk !== 'string' || typeof sk !== 'string') return undefined;
  if (!pk.startsWith(`${PARTITION.listEntry}#`) || sk === LIST_PURGE_SK) return undefined;
  const renewed = renewedKey(pseudonyms, sk);
  return renewed === sk ? undefined : { pk, sk, renewed };
}

export function entryRekeyer(table: Table) {
  return {
    /** Moves an entry to its name by the newest key, and flags the entity of that name; false if there is nothing to do. */
    async rekey(pseudonyms: Pseudonyms, item: WireItem, nowMs: number): Promise<boolean> {
      const stale = staleEntry(pseudonyms, item);
      if (stale === undefined) return false;
      const { pk, sk, renewed } = stale;
      const entry = await getItem(table, { pk, sk });
      if (!entry) return false;
      const [, accountId = '', number = ''] = pk.split('#');
      const list = await getItem(table, listKey(accountId, entry.list));
      const type = list?.type as ListType | undefined;
      // Of a deleted list, the purge removes what is left.
      if (type === undefined || list?.number !== Number(number)) return false;
      const flag = flagUpdate(Number(number), entry.expires_at_ms as number | undefined, nowMs);
      const { kind: _, ...update } = flag;
      const outcome = await transact(table, [
        { Put: { Item: { ...entry, sk: renewed }, ConditionExpression: 'attribute_not_exists(pk)' } },
        { Delete: { Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' } },
        {
          Update: {
            Key: listKey(accountId, entry.list as string),
            UpdateExpression: 'ADD version :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
        ...(hasFlags(type) ? [{ Update: { Key: entityKey(accountId, renewed), ...(update as object) } as never }] : []),
      ]);
      return outcome.committed;
    },
  };
}
