import type { EntityCalls, EntityUpdate } from '../../../shared/store/entities/entity-calls';
import { applyInPlace } from '../../../shared/store/memory/apply-update';
import { type EntityItem, type LiveItem, plainItem } from '../../../shared/store/sdk/attribute-value';

/** Faults that may happen to a call; none, unless a test says otherwise. */
export interface CallFaults {
  /** Called for every write of an item; throws if the item takes no more. */
  readonly onWrite?: (item: string) => void;
  /** How a transaction ends: carried out, refused, or carried out although nobody hears of it. */
  readonly onTogether?: () => 'done' | 'refused' | 'unheard';
}

export const throttled = (): Error =>
  Object.assign(new Error('too much for one item'), { name: 'ProvisionedThroughputExceededException' });

/** The items of entities in memory, below the code that decides which to write: as many processes as one likes share them. */
export function memoryEntityCalls({ onWrite = () => undefined, onTogether = () => 'done' as const }: CallFaults = {}) {
  const items = new Map<string, LiveItem>();
  const nameOf = (accountId: string, entity: string): string => `${accountId}#${entity}`;
  const stored = (name: string): EntityItem | undefined => {
    const item = items.get(name);
    return item && plainItem(item);
  };
  const apply = (accountId: string, { entity, params }: EntityUpdate): boolean => {
    const name = nameOf(accountId, entity);
    const item = items.get(name) ?? new Map();
    const isApplied = applyInPlace(item, params);
    if (isApplied) items.set(name, item);
    return isApplied;
  };
  const calls: EntityCalls = {
    async record(accountId, update) {
      onWrite(update.entity);
      const before = stored(nameOf(accountId, update.entity));
      const isApplied = apply(accountId, update);
      return { item: isApplied ? before : stored(nameOf(accountId, update.entity)), isApplied };
    },
    async aside(accountId, update) {
      onWrite(update.entity);
      apply(accountId, update);
    },
    async read(accountId, entities) {
      return entities.map((entity) => stored(nameOf(accountId, entity)));
    },
    async together(accountId, updates) {
      const ending = onTogether();
      const kept = new Map(
        updates.map(({ entity }) => [nameOf(accountId, entity), new Map(items.get(nameOf(accountId, entity)))]),
      );
      const isApplied = ending !== 'refused' && updates.every((update) => apply(accountId, update));
      if (!isApplied) for (const [name, item] of kept) items.set(name, item);
      if (!isApplied || ending === 'unheard')
        throw Object.assign(new Error(ending), { name: 'TransactionCanceledException' });
    },
  };
  return { calls, item: (accountId: string, entity: string) => stored(nameOf(accountId, entity)), apply, items };
}
