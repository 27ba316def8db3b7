import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { requestMark } from '../../domain/entities/request-mark';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** An entity that recorded the attempt. */
export interface Touched {
  readonly ref: EntityRef;
  /** The request that counted it (`requestMark`): this one, or an earlier one with the same `Idempotency-Key`. */
  readonly counted_by: string;
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
    await entities.untouch(accountId, ref, attempt, { isCertain: known !== undefined, limitMs: UNDO_LIMIT_MS });
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
