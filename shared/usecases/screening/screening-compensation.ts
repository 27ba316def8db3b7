import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';

/** An entity that recorded the attempt. */
export interface Touched {
  readonly ref: EntityRef;
  /** What the entity had lived through before. */
  readonly history: EntityHistory;
  /** Brings the entity's item back to size, where it has grown. */
  readonly trim: ((limitMs: number) => Promise<void>) | undefined;
}

/** How sure it is that an entity recorded the attempt, and how long taking it back may last. */
export interface UntouchOptions {
  /** Not certain: only where the attempt left its mark, since its answer never came. */
  readonly isCertain: boolean;
  readonly limitMs: number;
}

/** Histories of entities, as a screening needs them. */
export interface EntityPort {
  touch(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<Touched>;
  untouch(accountId: string, ref: EntityRef, attempt: Attempt, how: UntouchOptions): Promise<void>;
}

const UNDO_LIMIT_MS = 400;

/**
 * Takes an attempt back from every entity that recorded it, when it turns out to be a duplicate or its result cannot be
 * written. Best effort: a crash in between leaves at most this one attempt counted once too often, and distinct sets
 * keep what they saw (see docs/entities.md).
 */
export async function compensate(
  { entities }: { readonly entities: EntityPort },
  accountId: string,
  attempt: Attempt,
  { refs, touched }: { readonly refs: readonly EntityRef[]; readonly touched: readonly Touched[] },
): Promise<void> {
  const isCertain = ({ key }: EntityRef): boolean => touched.some(({ ref }) => ref.key === key);
  await Promise.allSettled(
    refs.map((ref) => entities.untouch(accountId, ref, attempt, { isCertain: isCertain(ref), limitMs: UNDO_LIMIT_MS })),
  );
}
