import type { ListChange, ListDefinition } from '../../domain/lists/list-definition';
import type { ListEntry, RejectedEntry } from '../../domain/lists/list-entry';
import type { AnswerOf } from '../../schemas/answer-of';
import type { addedEntries, entryPage, list, listCollection } from '../../schemas/list';

export const listAnswer = (found: ListDefinition): AnswerOf<typeof list> => {
  const { name, type, effect, note, entries, created_at, updated_at } = found;
  return { name, type, effect, note, entries, created_at, updated_at };
};

export const listCollectionAnswer = (lists: readonly ListDefinition[]): AnswerOf<typeof listCollection> => ({
  lists: lists.map(listAnswer),
});

export const addedEntriesAnswer = (result: {
  readonly added: number;
  readonly updated: number;
  readonly rejected: readonly RejectedEntry[];
}): AnswerOf<typeof addedEntries> => ({
  added: result.added,
  updated: result.updated,
  rejected: result.rejected.map(({ index, message }) => ({ index, message })),
});

/** The webhook payload for a changed list: never its values. */
export const listChangeAnswer = (found: ListChange) => {
  const { kind, name, type, effect, changed_at, changed_by, added, updated, removed } = found;
  return { name, type, effect, change: kind, added, updated, removed, changed_at, changed_by };
};

/** Where a page ends, for the client to hand back: a name that says nothing, in a form that is safe in a URL. */
const cursorOf = (name: string): string => Buffer.from(name).toString('base64url');

export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const name = Buffer.from(cursor, 'base64url').toString();
  return cursorOf(name) === cursor ? name : undefined;
}

export const entryPageAnswer = (
  page: { readonly entries: readonly ListEntry[]; readonly next: string | undefined },
  names: ReadonlyMap<string, string> = new Map(),
): AnswerOf<typeof entryPage> => ({
  entries: page.entries.map(({ value, expires_at, reason, added_at, added_by }) => ({
    value,
    expires_at,
    reason,
    added_at,
    added_by,
    added_by_name: names.get(added_by) ?? added_by,
  })),
  next_cursor: page.next === undefined ? null : cursorOf(page.next),
});
