import { requestMark } from '../domain/entities/attempt-record';
import type { UpdateParams } from '../domain/entities/attribute-value';
import type { Attempt } from '../domain/entities/entity-history';
import type { EntityRef } from '../domain/entities/entity-ref';
import type { Touched } from '../domain/entities/read-touched';
import type { ScreeningRecord } from '../domain/subjects/screening-record';

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

const UNDO_LIMIT_MS = 800;

/** An attempt, the entities that were asked to record it, and those that answered. */
export interface Recorded {
  readonly attempt: Attempt;
  readonly refs: readonly EntityRef[];
  readonly touched: readonly Touched[];
}

/**
 * Takes an attempt back from every entity that counted it for this request. Best effort: a crash in between leaves at
 * most this one attempt counted once too often, and distinct sets keep what they saw (see docs/entities.md).
 */
export async function compensate(
  { entities }: { readonly entities: EntityPort },
  accountId: string,
  { attempt, refs, touched }: Recorded,
  keeps: (ref: EntityRef) => boolean = () => false,
): Promise<void> {
  const mine = requestMark(attempt);
  const undoing = refs.map(async (ref) => {
    const known = touched.find((each) => each.ref.key === ref.key);
    if (keeps(ref) || (known && known.counted_by !== mine)) return;
    await entities.untouch(accountId, ref, attempt, known !== undefined, UNDO_LIMIT_MS);
  });
  await Promise.allSettled(undoing);
}

/**
 * Takes back what a repeat counted beside the request that holds the `Idempotency-Key`: an entity recognises repeats by
 * the marks of its most recent attempts only, so a late repeat of a busy one is counted at first. Where the holder
 * found this request's count and rested on it, that is the one that stays.
 */
export const takeBackRepeat = (
  deps: { readonly entities: EntityPort },
  accountId: string,
  recorded: Recorded,
  { counted_by = {} }: Pick<ScreeningRecord, 'counted_by'>,
): Promise<void> =>
  compensate(deps, accountId, recorded, ({ key }) => counted_by[key] === requestMark(recorded.attempt));
