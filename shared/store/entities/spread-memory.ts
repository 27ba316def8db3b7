import { FORGET_SPREAD_MS, type Spread } from '../../domain/entities/entity-spread';
import type { EntityItem } from '../sdk/attribute-value';

/** What a process knows of an entity that is spread. */
export interface KnownSpread {
  readonly spread: Spread;
  readonly home: EntityItem | undefined;
  readonly readAtMs: number;
  /** When this process last met the entity. */
  readonly usedAtMs: number;
  /** A fold has changed the number of shards since the home was read, and new shards know nothing of it. @default false */
  readonly isOutdated?: boolean | undefined;
}

/** Entities that are spread are few; the oldest are forgotten. */
const MOST_KNOWN = 500;

/** What a process remembers of entities that are spread, by account and name. Nothing is kept of others. */
export function spreadMemory() {
  const known = new Map<string, KnownSpread>();
  return {
    find(name: string, atMs: number): KnownSpread | undefined {
      if (known.size === 0) return undefined;
      const found = known.get(name);
      if (found === undefined || Math.abs(atMs - found.readAtMs) < FORGET_SPREAD_MS) return found;
      known.delete(name);
      return undefined;
    },
    use(name: string, about: KnownSpread, atMs: number): void {
      known.set(name, { ...about, usedAtMs: atMs });
    },
    put(name: string, about: KnownSpread): void {
      known.delete(name);
      known.set(name, about);
      if (known.size <= MOST_KNOWN) return;
      for (const oldest of known.keys()) {
        known.delete(oldest);
        return;
      }
    },
  };
}

export type SpreadMemory = ReturnType<typeof spreadMemory>;
