import { requestMark } from '../../../domain/entities/attempt-counts';
import type { Attempt, EntityHistory } from '../../../domain/entities/entity-history';
import type { EntityRef } from '../../../domain/entities/entity-ref';
import type { ListFlag } from '../../../domain/lists/match-lists';
import type { Prepared } from '../prepare';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** An entity that recorded the attempt. */
export interface RecordedEntity {
  readonly ref: EntityRef;
  /** The mark of the earlier request with the same `Idempotency-Key` that counted it. @default this request did */
  readonly counted_by?: string | undefined;
  readonly history: EntityHistory;
  readonly flags?: readonly ListFlag[] | undefined;
  readonly trim: ((limitMs: number) => Promise<void>) | undefined;
}

/** How certain it is that an entity recorded the attempt, and how long removing it may take. */
export interface RemoveAttemptOptions {
  /** If not certain, it is removed only if the attempt left its mark, since its response never came. */
  readonly isCertain: boolean;
  readonly limitMs: number;
}

/** Histories of entities, which record every attempt and return what was before it. */
export interface HistoryPorts {
  readonly entities: {
    recordAttempt(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<RecordedEntity>;
    removeAttempt(accountId: string, ref: EntityRef, attempt: Attempt, how: RemoveAttemptOptions): Promise<void>;
  };
}

/** The entities that responded. */
export interface HistoriesReading extends Reading {
  readonly recorded: readonly RecordedEntity[];
}

const UNDO_LIMIT_MS = 800;

/** The histories of everyone who takes part; each of them counts the attempt. */
export const historySource: Source<'histories', HistoryPorts, HistoriesReading> = {
  name: 'histories',
  async read({ entities }, { caller, refs, attempt }, limitMs) {
    const pending = refs.map((ref) =>
      entities.recordAttempt(caller.account_id, ref, attempt, limitMs).catch(() => undefined),
    );
    const recorded: RecordedEntity[] = [];
    // All are in progress, and none can reject: awaiting them one after another takes no longer than the slowest.
    for (const each of pending) {
      const entity = await each;
      if (entity !== undefined) recorded.push(entity);
    }
    return { recorded, missing: namesWithout(refs, recorded) };
  },
  without: ({ refs }) => ({ recorded: [], missing: namesWithout(refs, []) }),
  /**
   * Removes the attempt from every entity that counted it for this request. Best effort: a crash in between leaves at
   * most this one attempt counted once too often, and distinct sets keep what they saw (see docs/entities.md).
   *
   * An entity recognises repeats only by the marks of its most recent attempts, so a late repeat at a busy one is counted
   * at first. If the request whose result is stored found this request's count and relied on it, that count stays.
   */
  async undo({ entities }, { caller, refs, attempt }, { recorded }, stored) {
    const mine = stored?.counted_by && requestMark(attempt);
    const undoing = refs.map(async (ref) => {
      const known = recorded.find((each) => each.ref.key === ref.key);
      if (known?.counted_by !== undefined || (mine && stored?.counted_by?.[ref.key] === mine)) return;
      const how = { isCertain: known !== undefined, limitMs: UNDO_LIMIT_MS };
      await entities.removeAttempt(caller.account_id, ref, attempt, how);
    });
    await Promise.allSettled(undoing);
  },
  standIn: {
    entities: {
      recordAttempt: async () => Promise.reject(new Error('There are no histories')),
      removeAttempt: async () => undefined,
    },
  },
};

function namesWithout(refs: Prepared['refs'], recorded: readonly RecordedEntity[]): readonly string[] {
  if (refs.length === recorded.length) return NOTHING_MISSING;
  return refs.filter(({ key }) => !recorded.some(({ ref }) => ref.key === key)).map(({ name }) => name);
}
