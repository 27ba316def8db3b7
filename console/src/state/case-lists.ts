import { failureOf } from '../api/client';
import { addEntries, putList } from '../api/list-routes';
import type { List, ReviewCase } from '../api/types';
import { typedEntries } from '../text/typed-entries';
import { listsView, openLists } from './lists';
import { announce } from './page';
import { session } from './session';

/** Something of a case that can be put on a list. */
export interface Listable {
  readonly label: 'Block this device' | 'Trust this user';
  readonly type: List['type'];
  readonly effect: List['effect'];
  /** The list that is created if there is none of that type and effect. */
  readonly usual: string;
  readonly value: string;
}

/** What a case offers: its user always, its device if one was sent. */
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

/** The lists that something fits on. */
export const fittingLists = ({ type, effect }: Listable): readonly List[] =>
  (listsView.value.data ?? []).filter((list) => list.type === type && list.effect === effect);

/** Where, why and for how long something is put on a list. */
export interface Listing {
  readonly list: string;
  readonly reason: string;
  readonly days: number;
}

/** Puts something of a case on a list; returns why not if it is not on it. */
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
    const failure = failureOf(error);
    return failure.kind === 'offline' ? 'Cannot reach the service.' : failure.message;
  }
  announce(`${label}: added to ${list}`);
  void openLists();
  return undefined;
}
