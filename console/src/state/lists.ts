import { addEntries, getEntries, getLists, removeEntry } from '../api/list-routes';
import type { AddedEntries, EntryPage, List } from '../api/types';
import { type TypedEntries, typedEntries } from '../text/typed-entries';
import { loader } from './loadable';
import { announce } from './page';

const lists = loader<readonly List[]>();
const entries = loader<EntryPage & { readonly name: string }>();

/** The account's lists. */
export const listsView = lists.state;
/** The entries of the list that is open, as far as they were fetched. */
export const entriesView = entries.state;

export const openLists = (): Promise<void> => lists.load(async (abort) => (await getLists(abort)).lists, true);

/** Fetches the first entries of a list, or the one that stands for a value. */
export const openEntries = (name: string, value: string): Promise<void> =>
  entries.load(async (abort) => ({ name, ...(await getEntries(name, { value: value || undefined }, abort)) }));

/** Fetches the next page, below what is there. */
export async function moreEntries(): Promise<void> {
  const shown = entries.state.value.data;
  if (!shown?.next_cursor) return;
  const { name, next_cursor: cursor } = shown;
  await entries.load(async (abort) => {
    const next = await getEntries(name, { cursor }, abort);
    return { name, entries: [...shown.entries, ...next.entries], next_cursor: next.next_cursor };
  }, true);
}

/** Adds what was typed, and shows the list as it is then. */
export async function add(name: string, typed: TypedEntries): Promise<AddedEntries> {
  const added = await addEntries(name, typedEntries(typed, Date.now()));
  announce(`${added.added} added, ${added.updated} updated, ${added.rejected.length} rejected`);
  await Promise.all([openLists(), openEntries(name, '')]);
  return added;
}

/** Takes a value off a list, and shows the list as it is then. */
export async function remove(name: string, value: string): Promise<void> {
  await removeEntry(name, value);
  announce('Removed');
  await Promise.all([openLists(), openEntries(name, '')]);
}

export function closeLists(): void {
  lists.reset();
  entries.reset();
}
