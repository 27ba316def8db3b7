import type { Caller } from '../../domain/accounts/account';
import { type DeskEntry, revised } from '../../domain/cases/desk-change';
import { invalidRequest } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { changeCase, type DeskDeps, entryBy } from './change-case';

/** More than a discussion needs; a timeline of as many of the longest comments still fits into a response. */
export const MAX_COMMENTS = 200;

/** A comment as it is sent; with an `Idempotency-Key`, the record of its response commits with it. */
export interface StatedComment {
  readonly text: string;
  readonly analyst_id?: string | undefined;
  readonly recordOf?: ((comment: DeskEntry) => IdempotencyRecord) | undefined;
}

/** Adds a comment to a case in any state, as long as the case is kept. */
export function commentCase(
  deps: DeskDeps,
  caller: Caller,
  id: string,
  { text, analyst_id, recordOf }: StatedComment,
): Promise<DeskEntry> {
  return changeCase(deps, caller, id, ({ reviewCase, nowMs }) => {
    const { comments = 0 } = reviewCase;
    if (comments >= MAX_COMMENTS) {
      throw invalidRequest([{ field: 'text', message: `a case takes at most ${MAX_COMMENTS} comments` }]);
    }
    const entry = entryBy(deps, caller, analyst_id, { kind: 'commented', nowMs, text });
    const after = revised(reviewCase, { comments: comments + 1 });
    const answer = recordOf?.(entry);
    return { save: { before: reviewCase, after, entry }, result: entry, ...(answer ? { answer } : {}) };
  });
}
