import { type DeclineEffect, type LabelMove, moveOn } from '../../../shared/domain/outcomes/kept-change';
import {
  declinedEntities,
  type KeptSubject,
  type LabelledScreening,
} from '../../../shared/domain/outcomes/kept-subject';
import type { EntitiesByAccount } from './memory-entities';

/** The parts of screenings that are kept for outcomes from outside, in memory. */
export function memoryKept(entities: EntitiesByAccount) {
  const subjects = new Map<string, KeptSubject>();
  const keyOf = (accountId: string, ulid: string): string => `${accountId}/${ulid}`;
  const get = (accountId: string, ulid: string) => subjects.get(keyOf(accountId, ulid));
  return {
    get,
    /** Whether it is the version after the stored one. */
    isNext: (accountId: string, { screening: { ulid }, version }: KeptSubject): boolean =>
      (get(accountId, ulid)?.version ?? -1) === version - 1,
    put(accountId: string, kept: KeptSubject): void {
      subjects.set(keyOf(accountId, kept.screening.ulid), kept);
    },
    remove: (accountId: string, ulid: string): void => void subjects.delete(keyOf(accountId, ulid)),
    decline(accountId: string, record: LabelledScreening, declined: DeclineEffect | undefined, nowMs: number): void {
      if (declined === undefined) return;
      for (const entity of declinedEntities(record)) entities.of(accountId).decline(entity, record, declined, nowMs);
    },
    move(accountId: string, record: LabelledScreening, move: LabelMove | undefined, nowMs: number): void {
      for (const entity of record.entities) {
        const moved = move && moveOn(move, entity);
        if (moved) entities.of(accountId).label(entity, { record, ...moved }, nowMs);
      }
    },
  };
}

export type MemoryKept = ReturnType<typeof memoryKept>;
