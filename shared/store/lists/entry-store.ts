import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import { hasFlags, type ListAuthor, type ListDefinition } from '../../domain/lists/list-definition';
import type { ListEntry, NamedEntry } from '../../domain/lists/list-entry';
import type { Sealer } from '../../domain/sealer';
import { recordAnswerItem } from '../idempotency-store';
import { listEntriesPk, listEntryKey } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, queryPage } from '../sdk/table-calls';
import { transact } from '../sdk/transact';
import { entryItem, flaggedItem, toEntry } from './entry-items';
import { changeItem, countEntries, isSameList } from './list-store';

/** Entries of one transaction, which has 100 items: each is one on the list and one on its entity, and three for the rest. */
export const MOST_AT_ONCE = 48;

/** A hundred items take their time. */
const TRANSACTION_LIMIT_MS = 8_000;

export interface PutEntries {
  readonly entries: readonly NamedEntry[];
  readonly author: ListAuthor;
  /** Whether the author's change is complete with these. */
  readonly isLast: boolean;
  readonly record?: ((added: number, updated: number) => IdempotencyRecord) | undefined;
}

/** How many were new, and whether the list was there and had room; nothing is written if not. */
export type PutOutcome = { readonly added: number; readonly updated: number } | 'gone' | 'full';

/** The entries of lists. The item of an exact value's entity changes in the same transaction, so both always agree. */
export function entryStore(table: Table, sealer: Sealer) {
  return {
    async put(accountId: string, list: ListDefinition, put: PutEntries): Promise<PutOutcome> {
      const { entries, author, isLast, record } = put;
      const target = { sealer, accountId, number: list.number, list: list.name };
      const known = new Set<number>();
      const names = entries.map(({ ref }) => ref.key);
      for (;;) {
        const counts = { added: entries.length - known.size, updated: known.size, removed: 0 };
        const answered = isLast && record ? record(counts.added, counts.updated) : undefined;
        // Nothing to add, but an answer to record: the change, if there is one, is complete with it.
        const rest = [
          countEntries(accountId, list, counts.added),
          changeItem(accountId, list, { kind: 'entries', author, counts, isLast, names }),
          ...(answered ? [await recordAnswerItem(sealer, accountId, answered, author.nowMs)] : []),
        ];
        const written = await Promise.all(entries.map((entry, at) => entryItem(target, entry, author, !known.has(at))));
        const flags = hasFlags(list.type) ? entries.map((entry) => flaggedItem(target, entry, author.nowMs)) : [];
        const outcome = await transact(table, [...rest, ...written, ...flags], TRANSACTION_LIMIT_MS);
        if (outcome.committed) return { added: counts.added, updated: counts.updated };
        const isRefused = outcome.failed.includes(0);
        if (isRefused && !(await isSameList(table, accountId, list))) return 'gone';
        if (answered && outcome.failed.includes(2)) throw new ClaimTaken();
        // It was there already, or is there no longer: the next try takes it for the other, and may need less room.
        const mistaken = outcome.failed.filter((position) => position >= rest.length);
        if (isRefused && mistaken.length === 0) return 'full';
        for (const position of mistaken) {
          const at = position - rest.length;
          if (!known.delete(at)) known.add(at);
        }
      }
    },

    async find(accountId: string, list: ListDefinition, entity: string): Promise<ListEntry | undefined> {
      const item = await getItem(table, listEntryKey(accountId, list.number, entity));
      return item && toEntry(sealer, accountId, list.number, item);
    },

    /** A page of entries, in the order of their names, which says nothing; `next` begins the following one. */
    async page(
      accountId: string,
      list: ListDefinition,
      { limit, after }: { readonly limit: number; readonly after?: string | undefined },
    ): Promise<{ readonly entries: readonly ListEntry[]; readonly next: string | undefined }> {
      const { Items: items = [] } = await queryPage(table, {
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: {
          ':pk': listEntriesPk(accountId, list.number),
          ...(after === undefined ? {} : { ':after': after }),
        },
        Limit: limit + 1,
      });
      const shown = items.slice(0, limit);
      const entries = await Promise.all(shown.map((item) => toEntry(sealer, accountId, list.number, item)));
      return { entries, next: items.length > limit ? (shown.at(-1)?.sk as string) : undefined };
    },
  };
}
