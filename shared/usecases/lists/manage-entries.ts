import { type EntityNames, entityNames } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { invalidRequest, notFound } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { type ListAuthor, type ListDefinition, maxEntries, type RemovedBy } from '../../domain/lists/list-definition';
import {
  type ListEntry,
  type NamedEntry,
  type NewEntry,
  nameEntry,
  type RejectedEntry,
} from '../../domain/lists/list-entry';
import { nameValue } from '../../domain/lists/list-value';
import { authorOf, getList, type ListCaller } from './manage-lists';

interface PutEntries {
  readonly entries: readonly NamedEntry[];
  readonly author: ListAuthor;
  readonly isLast: boolean;
  readonly record?: ((added: number, updated: number) => IdempotencyRecord) | undefined;
}

/** Dependencies of managing entries. */
export interface ManageEntriesDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly lists: { find(accountId: string, name: string): Promise<ListDefinition | undefined> };
  readonly entries: {
    put(
      accountId: string,
      list: ListDefinition,
      put: PutEntries,
    ): Promise<{ readonly added: number; readonly updated: number } | 'gone' | 'full'>;
    remove(accountId: string, list: ListDefinition, entities: readonly string[], by: RemovedBy): Promise<number>;
    find(accountId: string, list: ListDefinition, entity: string): Promise<ListEntry | undefined>;
    page(
      accountId: string,
      list: ListDefinition,
      part: { readonly limit: number; readonly after?: string | undefined },
    ): Promise<{ readonly entries: readonly ListEntry[]; readonly next: string | undefined }>;
  };
}

interface SentEntries {
  readonly entries: readonly NewEntry[];
  readonly record?: ((added: AddedEntries) => IdempotencyRecord) | undefined;
}

/** The result of sending entries. */
export interface AddedEntries {
  readonly added: number;
  readonly updated: number;
  readonly rejected: readonly RejectedEntry[];
}

/** As many as one transaction takes. */
const AT_ONCE = 48;

const namesFor = async (deps: Pick<ManageEntriesDeps, 'pseudonyms'>, accountId: string): Promise<EntityNames> =>
  entityNames(accountId, await deps.pseudonyms());

/** Good entries, each value once: the last one that was sent counts. */
interface Sorted {
  readonly good: readonly { readonly index: number; readonly entry: NamedEntry }[];
  readonly repeated: number;
  readonly rejected: RejectedEntry[];
}

function sort(names: EntityNames, list: ListDefinition, sent: readonly NewEntry[], nowMs: number): Sorted {
  const good = new Map<string, { readonly index: number; readonly entry: NamedEntry }>();
  const rejected: RejectedEntry[] = [];
  let repeated = 0;
  for (const [index, each] of sent.entries()) {
    const entry = nameEntry(names, list.type, each, nowMs);
    if ('fault' in entry) rejected.push({ index, message: entry.fault });
    else {
      if (good.delete(entry.ref.key)) repeated += 1;
      good.set(entry.ref.key, { index, entry });
    }
  }
  return { good: [...good.values()], repeated, rejected };
}

/**
 * Puts values on a list; those that are there already get the new expiry and reason. Each transaction leaves the list
 * consistent: a request that dies half way has added some of its entries, and a repeat adds the rest.
 */
export async function addEntries(
  deps: ManageEntriesDeps,
  caller: ListCaller,
  name: string,
  { entries: sent, record }: SentEntries,
): Promise<AddedEntries> {
  const { account_id } = caller;
  const list = await getList(deps, caller, name);
  const author = authorOf(deps, caller);
  const { good, repeated, rejected } = sort(await namesFor(deps, account_id), list, sent, author.nowMs);
  const count = { added: 0, updated: repeated };
  const result = (): AddedEntries => ({ ...count, rejected: rejected.toSorted((a, b) => a.index - b.index) });
  if (good.length === 0 && record === undefined) return result();
  let left = good;
  let size = AT_ONCE;
  for (;;) {
    const chunk = left.slice(0, size);
    const isLast = chunk.length === left.length;
    const put = await deps.entries.put(account_id, list, {
      entries: chunk.map(({ entry }) => entry),
      author,
      isLast,
      record:
        record &&
        ((added, updated) => record({ ...result(), added: count.added + added, updated: count.updated + updated })),
    });
    if (put === 'gone') throw notFound('list');
    if (put !== 'full') {
      count.added += put.added;
      count.updated += put.updated;
      left = left.slice(chunk.length);
      if (isLast) return result();
    } else if (size > 1) {
      // One by one, those that are there already can still be changed.
      size = 1;
    } else {
      const most = maxEntries(list).toLocaleString('en-US');
      const message = `the list already has ${most} entries, which is the limit`;
      rejected.push({ index: chunk[0]?.index ?? 0, message });
      left = left.slice(1);
    }
  }
}

/** A page of a list's entries; or, with `value`, the one that stands for it. */
export async function listEntries(
  deps: ManageEntriesDeps,
  caller: ListCaller,
  name: string,
  {
    limit,
    after,
    value,
  }: { readonly limit: number; readonly after?: string | undefined; readonly value?: string | undefined },
): Promise<{ readonly entries: readonly ListEntry[]; readonly next: string | undefined }> {
  const { account_id } = caller;
  const list = await getList(deps, caller, name);
  if (value === undefined) return deps.entries.page(account_id, list, { limit, after });
  const named = nameValue(await namesFor(deps, account_id), list.type, value);
  if ('fault' in named) throw invalidRequest([{ field: 'value', message: named.fault }]);
  const entry = await deps.entries.find(account_id, list, named.ref.key);
  return { entries: entry ? [entry] : [], next: undefined };
}

/** Takes a value off a list, however it is written. @throws DomainError `not_found` if it is not on it */
export async function removeEntry(
  deps: ManageEntriesDeps,
  caller: ListCaller,
  name: string,
  value: string,
): Promise<void> {
  const { account_id } = caller;
  const list = await getList(deps, caller, name);
  const named = nameValue(await namesFor(deps, account_id), list.type, value);
  const removed =
    'fault' in named
      ? 0
      : await deps.entries.remove(account_id, list, [named.ref.key], { author: authorOf(deps, caller) });
  if (removed === 0) throw notFound('entry');
}
