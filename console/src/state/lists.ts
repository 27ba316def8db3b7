import { failureOf } from '../api/client';
import { addEntries, getEntries, getLists, putList, removeEntry } from '../api/list-routes';
import type { AddedEntries, EntryPage, List, ReviewCase } from '../api/types';
import { type TypedEntries, typedEntries } from '../text/words';
import { loader } from './loadable';
import { announce } from './page';
import { session } from './session';

const lists = loader<readonly List[]>();
const entries = loader<EntryPage & { readonly name: string }>();

export const listsView = lists.state;
export const entriesView = entries.state;

/** As many entries as one request takes. */
const AT_ONCE = 1_000;

export const openLists = (): Promise<void> => lists.load(async (abort) => (await getLists(abort)).lists, true);

/** Fetches the first entries of a list, or the one that matches a value. */
export const openEntries = (name: string, value: string): Promise<void> =>
  entries.load(async (abort) => ({ name, ...(await getEntries(name, { value: value || undefined }, abort)) }));

export async function moreEntries(): Promise<void> {
  const shown = entries.state.value.data;
  if (!shown?.next_cursor) return;
  const { name, next_cursor: cursor } = shown;
  await entries.load(async (abort) => {
    const next = await getEntries(name, { cursor }, abort);
    return { name, entries: [...shown.entries, ...next.entries], next_cursor: next.next_cursor };
  }, true);
}

export async function add(name: string, typed: TypedEntries): Promise<AddedEntries> {
  const entries = typedEntries(typed, Date.now());
  const added: AddedEntries = { added: 0, updated: 0, rejected: [] };
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const part = await addEntries(name, entries.slice(at, at + AT_ONCE));
    added.added += part.added;
    added.updated += part.updated;
    added.rejected.push(...part.rejected.map(({ index, message }) => ({ index: index + at, message })));
  }
  announce(`${added.added} added, ${added.updated} updated, ${added.rejected.length} rejected`);
  await Promise.all([openLists(), openEntries(name, '')]);
  return added;
}

export async function remove(name: string, value: string): Promise<void> {
  await removeEntry(name, value);
  announce('Removed');
  await Promise.all([openLists(), openEntries(name, '')]);
}

/** Makes a list; returns why not if it was refused. */
export async function makeList(
  name: string,
  list: Pick<List, 'type' | 'effect' | 'note'>,
): Promise<string | undefined> {
  if (listsView.value.data?.some((each) => each.name === name)) return `There is a list named ${name} already.`;
  try {
    await putList(name, list);
  } catch (error) {
    return failureOf(error).message;
  }
  announce(`${name} created`);
  await openLists();
  return undefined;
}

export function closeLists(): void {
  lists.reset();
  entries.reset();
}

export interface Listable {
  readonly label: 'Block this device' | 'Trust this user';
  readonly type: List['type'];
  readonly effect: List['effect'];
  /** The list that is created if there is none of that type and effect. */
  readonly usual: string;
  readonly value: string;
}

/** The listable parts of a case: its user always, its device if one was sent. */
export const listablesOf = ({ device, user_id }: Pick<ReviewCase, 'device' | 'user_id'>): Listable[] => [
  ...(device === null
    ? []
    : [
        {
          label: 'Block this device',
          type: 'device_fingerprint',
          effect: 'block',
          usual: 'blocked-devices',
          value: `device:${device}`,
        } as const,
      ]),
  { label: 'Trust this user', type: 'user_id', effect: 'allow', usual: 'trusted-users', value: user_id },
];

export const fittingLists = ({ type, effect }: Listable): readonly List[] =>
  (listsView.value.data ?? []).filter((list) => list.type === type && list.effect === effect);

export interface Listing {
  readonly list: string;
  readonly reason: string;
  readonly days: number;
}

/** Puts part of a case on a list; returns the reason if that failed. */
export async function putOnList(listable: Listable, { list, reason, days }: Listing): Promise<string | undefined> {
  const { type, effect, value, label } = listable;
  try {
    if (!fittingLists(listable).some(({ name }) => name === list)) {
      if (!session.value?.canMakeLists) return 'There is no list for this yet. An administrator’s key can create one.';
      await putList(list, { type, effect, note: null });
    }
    const { rejected } = await addEntries(list, typedEntries({ text: value, days, reason }, Date.now()));
    if (rejected[0]) return rejected[0].message;
  } catch (error) {
    return failureOf(error).message;
  }
  announce(`${label}: added to ${list}`);
  void openLists();
  return undefined;
}
