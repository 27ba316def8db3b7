import type { Attempt } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { readEntity } from '../entities/read-entity';
import type { MemoryEntities } from './memory-entities';

/** The networks of one account, next to its other entities: read first, and counted on only where it matters. */
export const memoryNetworks = (entities: MemoryEntities) => ({
  async read(refs: readonly EntityRef[], attempt: Attempt) {
    return refs.map((ref) => {
      const { history } = readEntity(ref.kind, entities.item(ref.key, attempt.at_ms), attempt);
      const record = async (): Promise<void> => {
        const { trim } = await entities.recordAttempt(ref, attempt);
        await trim?.();
      };
      return { ref, history, record };
    });
  },
});
