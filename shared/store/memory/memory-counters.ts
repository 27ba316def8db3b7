import { counterStore } from '../counters/counter-store';
import type { EntityCalls } from '../entities/entity-calls';
import type { EntityItem } from '../sdk/attribute-value';
import { applyUpdate } from './apply-update';

/** Counters in memory: the same updates as the table's, for replays and tests. `onRecord` may refuse a call. */
export function memoryCounters(items = new Map<string, EntityItem>(), onRecord?: (entity: string) => void) {
  const calls: Pick<EntityCalls, 'record' | 'aside' | 'read'> = {
    async record(accountId, { entity, params }) {
      onRecord?.(entity);
      const key = `${accountId}#${entity}`;
      const item = items.get(key);
      const after = applyUpdate(item, params);
      if (after.applied && after.item) items.set(key, after.item);
      return { item, isApplied: after.applied };
    },
    async aside(accountId, update) {
      await calls.record(accountId, update);
    },
    read: async (accountId, entities) => entities.map((entity) => items.get(`${accountId}#${entity}`)),
  };
  return { ...counterStore(undefined as never, calls), items };
}
