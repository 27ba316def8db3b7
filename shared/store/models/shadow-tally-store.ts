import { EMPTY_TALLY, type ShadowTally } from '../../domain/models/registry-state';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { shadowTallyKey } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, updateItem } from '../sdk/table-calls';

export function shadowTallyStore(table: Table) {
  return {
    async add(version: string, counts: ShadowTally, nowMs: number): Promise<void> {
      await updateItem(table, shadowTallyKey(version), {
        UpdateExpression:
          'ADD screened :screened, silent :silent, champion_stopped :champion, shadow_stopped :shadow SET entity = :entity, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':screened': counts.screened,
          ':silent': counts.silent,
          ':champion': counts.champion_stopped,
          ':shadow': counts.shadow_stopped,
          ':entity': 'shadow_tally',
          ':ttl': Math.ceil((nowMs + RETENTION_MS) / 1000),
        },
      });
    },

    async find(version: string): Promise<ShadowTally> {
      const item = await getItem(table, shadowTallyKey(version));
      if (!item) return EMPTY_TALLY;
      const { screened, silent, champion_stopped, shadow_stopped } = item as unknown as ShadowTally;
      return { screened, silent, champion_stopped, shadow_stopped };
    },
  };
}
