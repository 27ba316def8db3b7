import type { Sealer } from '../../domain/sealer';
import type { Key } from '../sdk/key';
import { canonicalItem, toWire } from '../sdk/wire-item';
import {
  arrivedItem,
  isDelivery,
  isDue,
  keyOfItem,
  kindOf,
  markedItem,
  nameOfKey,
  type StoredItem,
  travelOf,
} from './account-items';
import type { CellTable } from './cell-table';
import { openedItem, sealedItem } from './resealed-item';

/** The same text for equal items. */
const textOf = (item: StoredItem): string => canonicalItem(toWire(item));

/** One end of a move. */
export interface CellEnd {
  readonly table: Pick<CellTable, 'scan' | 'get' | 'put' | 'remove'>;
  /** Texts are sealed by the deployment's own data key, and sealed again on the way. */
  readonly sealer: Sealer;
}

/** Dependencies of copying. */
export interface CopierDeps {
  readonly accountId: string;
  readonly source: CellEnd;
  readonly target: CellEnd;
  /** A mark that no other write has. */
  readonly newMark: () => string;
}

/** What became of some items. */
export interface Brought {
  /** Items of the account that were looked at, by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** How many of them the other end lacked, had otherwise, or should not have had. */
  readonly changed: number;
}

const AT_ONCE = 16;

async function eachOf<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Copies the items of one account from one deployment's table to another's. Repeating any step changes nothing. */
export function accountCopier({ accountId, source, target, newMark }: CopierDeps) {
  /** What sweeps look at, by key: they may see it at the other end only once the account is there. */
  const due = new Map<string, Key>();
  let isHeld = true;

  /** Makes the other end the same as this one, for these keys; `items` are their items here. */
  async function equalize(keys: readonly Key[], items: ReadonlyMap<string, StoredItem>): Promise<Brought> {
    const there = await target.table.get(keys);
    const kinds = new Map<string, number>();
    let changed = 0;
    await eachOf(keys, async (key) => {
      const name = nameOfKey(key);
      const [mine, theirs] = [items.get(name), there.get(name)];
      if (mine === undefined) {
        due.delete(name);
        if (theirs === undefined) return;
        changed += 1;
        return target.table.remove(key);
      }
      kinds.set(kindOf(key), (kinds.get(kindOf(key)) ?? 0) + 1);
      if (isDue(mine) && !isDelivery(mine)) due.set(name, key);
      else due.delete(name);
      const plain = await openedItem(arrivedItem(mine, isHeld), source.sealer);
      if (theirs !== undefined) {
        const { moved: _mark, ...rest } = theirs;
        if (textOf(plain) === textOf(await openedItem(rest, target.sealer))) return;
      }
      changed += 1;
      await target.table.put(markedItem(await sealedItem(plain, target.sealer), newMark()));
    });
    return { kinds, changed };
  }

  const isCopied = (item: StoredItem): boolean => travelOf(item, accountId) === 'copied';
  const byName = (items: readonly StoredItem[]): Map<string, StoredItem> =>
    new Map(items.map((item) => [nameOfKey(keyOfItem(item)), item]));

  const bring = async (given: readonly Key[]): Promise<Brought> => {
    const keys = [...new Map(given.map((key) => [nameOfKey(key), key])).values()];
    return equalize(keys, await source.table.get(keys));
  };

  return {
    /** Brings these items, as they are now. */
    bring,

    /** Brings everything, page by page. */
    async *copyAll(): AsyncGenerator<Brought> {
      for await (const items of source.table.scan(accountId)) {
        const mine = items.filter(isCopied);
        yield await equalize(mine.map(keyOfItem), byName(mine));
      }
    },

    /** Counts what is there, and removes what is not here (any more). */
    async *removeStrays(): AsyncGenerator<Brought> {
      for await (const items of target.table.scan(accountId)) {
        const theirs = items.filter(isCopied);
        const kinds = new Map<string, number>();
        for (const item of theirs) kinds.set(kindOf(keyOfItem(item)), (kinds.get(kindOf(keyOfItem(item))) ?? 0) + 1);
        const here = await source.table.get(theirs.map(keyOfItem));
        const strays = theirs.map(keyOfItem).filter((key) => !here.has(nameOfKey(key)));
        await eachOf(strays, (key) => target.table.remove(key));
        yield { kinds, changed: strays.length };
      }
    },

    /** Lets sweeps see what they must look at. */
    async release(): Promise<void> {
      isHeld = false;
      await bring([...due.values()]);
    },

    /** What sweeps look at. */
    due: (): readonly Key[] => [...due.values()],
  };
}

export type AccountCopier = ReturnType<typeof accountCopier>;
