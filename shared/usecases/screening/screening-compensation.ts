import type { EarnedAttempt } from '../../domain/entities/earning';
import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { requestMark } from '../../domain/entities/request-mark';
import type { ListFlag } from '../../domain/lists/match-lists';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** An entity that recorded the attempt. */
export interface RecordedEntity {
  readonly ref: EntityRef;
  /** The mark of the earlier request with the same `Idempotency-Key` that counted it. @default this request did */
  readonly counted_by?: string | undefined;
  /** What the entity had done before. */
  readonly history: EntityHistory;
  /** The lists that it is on. @default none */
  readonly flags?: readonly ListFlag[] | undefined;
  /** Brings the entity's item back to its maximum size, if it has grown beyond it. */
  readonly trim: ((limitMs: number) => Promise<void>) | undefined;
}

/** How certain it is that an entity recorded the attempt, and how long removing it may take. */
export interface RemoveAttemptOptions {
  /** If not certain, it is removed only if the attempt left its mark, since its response never came. */
  readonly isCertain: boolean;
  readonly limitMs: number;
}

/** Histories of entities, as a screening needs them. Of what is written in the second trip, anything may be lost. */
export interface EntityPort {
  recordAttempt(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<RecordedEntity>;
  removeAttempt(accountId: string, ref: EntityRef, attempt: Attempt, how: RemoveAttemptOptions): Promise<void>;
  /** Makes familiar to the user what an allowed attempt used. */
  earn(accountId: string, user: EntityRef, earned: EarnedAttempt, limitMs: number): Promise<void>;
  /** Takes that back: the result was never stored. */
  unearn(accountId: string, user: EntityRef, record: ScreeningRecord, limitMs: number): Promise<void>;
  /** Starts the time for which an entity other than the user is trusted. */
  trust(accountId: string, ref: EntityRef, atMs: number, limitMs: number): Promise<void>;
  /** Counts on an entity other than the user that an attempt was stopped. */
  countStopped(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<void>;
}

const UNDO_LIMIT_MS = 800;

/** An attempt, the entities that were asked to record it, and those that responded. */
export interface Recording {
  readonly attempt: Attempt;
  readonly refs: readonly EntityRef[];
  readonly recorded: readonly RecordedEntity[];
}

/**
 * Removes an attempt from every entity that counted it for this request. Best effort: a crash in between leaves at
 * most this one attempt counted once too often, and distinct sets keep what they saw (see docs/entities.md).
 */
export async function compensate(
  { entities }: { readonly entities: EntityPort },
  accountId: string,
  { attempt, refs, recorded }: Recording,
  keeps: (ref: EntityRef) => boolean = () => false,
): Promise<void> {
  const undoing = refs.map(async (ref) => {
    const known = recorded.find((each) => each.ref.key === ref.key);
    if (keeps(ref) || known?.counted_by !== undefined) return;
    await entities.removeAttempt(accountId, ref, attempt, { isCertain: known !== undefined, limitMs: UNDO_LIMIT_MS });
  });
  await Promise.allSettled(undoing);
}

/**
 * Removes what a repeat counted in addition to the request that holds the `Idempotency-Key`: an entity recognises
 * repeats only by the marks of its most recent attempts, so a late repeat at a busy one is counted at first. If the
 * holder found this request's count and relied on it, that count stays.
 */
export const takeBackRepeat = (
  deps: { readonly entities: EntityPort },
  accountId: string,
  recording: Recording,
  { counted_by = {} }: Pick<ScreeningRecord, 'counted_by'>,
): Promise<void> => {
  const mine = requestMark(recording.attempt);
  return compensate(deps, accountId, recording, ({ key }) => counted_by[key] === mine);
};

/** Which entities another request with the same `Idempotency-Key` counted, and which one. */
export function countedElsewhere(recorded: readonly RecordedEntity[]): Pick<ScreeningRecord, 'counted_by'> {
  if (!recorded.some(({ counted_by }) => counted_by)) return {};
  const others = recorded.flatMap(({ ref, counted_by }) => (counted_by ? [[ref.key, counted_by] as const] : []));
  return { counted_by: Object.fromEntries(others) };
}

/** The names of entities that did not respond. */
export const namesWithout = (refs: readonly EntityRef[], recorded: readonly RecordedEntity[]): string[] =>
  refs.filter(({ key }) => !recorded.some(({ ref }) => ref.key === key)).map(({ name }) => name);
