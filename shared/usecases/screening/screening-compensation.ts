import type { UpdateParams } from '../../domain/entities/attribute-value';
import type { Attempt } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { TouchedItem } from '../../domain/entities/read-touched';

/** An entity that recorded the attempt. */
export interface Touched extends TouchedItem {
  readonly ref: EntityRef;
}

/** Who holds an `Idempotency-Key`. */
export interface ClaimHolder {
  readonly ulid: string;
  readonly body_hash: string;
  readonly claimed_at_ms: number;
}

/** Histories of entities, as a screening needs them. */
export interface EntityPort {
  touch(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<Touched>;
  /** Not certain: only where the attempt left its mark, since its answer never came. */
  untouch(accountId: string, ref: EntityRef, attempt: Attempt, isCertain: boolean, limitMs: number): Promise<void>;
  trim(accountId: string, ref: EntityRef, trim: UpdateParams, limitMs: number): Promise<void>;
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
  refs: readonly EntityRef[],
  touched: readonly Touched[],
): Promise<void> {
  const isCertain = ({ key }: EntityRef): boolean => touched.some(({ ref }) => ref.key === key);
  await Promise.allSettled(refs.map((ref) => entities.untouch(accountId, ref, attempt, isCertain(ref), UNDO_LIMIT_MS)));
}
