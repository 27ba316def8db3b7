import fc from 'fast-check';
import {
  type AccountMove,
  LAST_SCREENING_MS,
  LEASE_MS,
  moveRefusal,
  NOTICE_MS,
} from '../../../shared/domain/accounts/account-move';
import { unavailable } from '../../../shared/domain/errors';
import type { Sealer } from '../../../shared/domain/sealer';
import { accountCopier } from '../../../shared/store/cells/account-copier';
import { keyOfItem, nameOfKey, type StoredItem } from '../../../shared/store/cells/account-items';
import type { Key } from '../../../shared/store/sdk/key';
import { moveAccount } from '../../../shared/usecases/accounts/move-account';
import { sized } from '../../support/sized';

const ACCOUNT = 'acc_1';
const OTHER = 'acc_2';

/** Seals with a word of its own, so that a text of one deployment does not open in the other. */
const sealerOf = (word: string): Sealer => ({
  seal: async (plain, context) => `${word}|${context}|${plain}`,
  open: async (sealed, context) => {
    const prefix = `${word}|${context}|`;
    if (!sealed.startsWith(prefix)) throw new Error(`cannot open ${sealed}`);
    return sealed.slice(prefix.length);
  },
});

/** A table in memory that remembers what changed. */
function memoryCell(word: string) {
  const items = new Map<string, StoredItem>();
  const changed: Key[] = [];
  return {
    items,
    changed,
    sealer: sealerOf(word),
    table: {
      async *scan(): AsyncGenerator<StoredItem[]> {
        const all = [...items.keys()];
        for (let at = 0; at < all.length || at === 0; at += 2) {
          yield all
            .slice(at, at + 2)
            .flatMap((name): StoredItem[] => (items.has(name) ? [items.get(name) as StoredItem] : []));
        }
      },
      get: async (keys: readonly Key[]) =>
        new Map(
          keys.flatMap((key) =>
            [nameOfKey(key)].flatMap((name) => (items.has(name) ? [[name, items.get(name) as StoredItem]] : [])),
          ),
        ),
      put: async (item: StoredItem) => {
        items.set(nameOfKey(keyOfItem(item)), item);
        changed.push(keyOfItem(item));
        return true;
      },
      remove: async (key: Key) => {
        items.delete(nameOfKey(key));
        changed.push(key);
      },
    },
  };
}

type Write = { readonly slot: number; readonly value: number; readonly isRemoval: boolean };

const itemOf = ({ slot, value }: Write): StoredItem => {
  const key = { pk: { S: `${slot % 3 === 0 ? 'ENTITY' : 'LISTENTRY'}#${ACCOUNT}#${slot}` }, sk: { S: `k${slot}` } };
  const sealed = `left|list-value/${ACCOUNT}/${slot}|secret ${value}`;
  const due = slot % 2 === 0 ? { due_pk: { S: 'DUE#list#1' }, due_sk: { S: `${value}` } } : {};
  return slot % 3 === 0
    ? { ...key, entity: { S: 'entity' }, n: { N: `${value}` } }
    : { ...key, entity: { S: 'case' }, text: { S: sealed }, n: { N: `${value}` }, ...due };
};

/** Two deployments, and an account in the left one that goes on being written to as long as it may. */
function world(writes: readonly Write[], failAt = Number.POSITIVE_INFINITY) {
  const [left, right] = [memoryCell('left'), memoryCell('right')];
  const state = { nowMs: 1_000_000, move: undefined as AccountMove | undefined, isOpen: false, calls: 0, refused: 0 };
  const accepted: Write[] = [];
  const pending = [...writes];
  let read = 0;
  let mark = 0;

  const write = async (): Promise<void> => {
    const next = pending.shift();
    if (next === undefined) return;
    if (moveRefusal(state.move, 'screening', state.nowMs) !== undefined) {
      state.refused += 1;
      return;
    }
    accepted.push(next);
    if (next.isRemoval) await left.table.remove(keyOfItem(itemOf(next)));
    else await left.table.put(itemOf(next));
  };
  /** Whatever the move does, somebody writes in between, and any call may fail. */
  const around = async <Value>(act: () => Promise<Value> | Value): Promise<Value> => {
    await write();
    if (++state.calls === failAt) throw unavailable(new Error('lost'));
    return act();
  };
  const copier = accountCopier({
    accountId: ACCOUNT,
    source: left,
    target: { ...right, table: { ...right.table, put: (item) => around(() => right.table.put(item)) } },
    newMark: () => `m${++mark}`,
  });
  const deps = {
    clock: { now: () => state.nowMs },
    wait: async (ms: number) => {
      state.nowMs += ms;
      await write();
    },
    marks: {
      begin: (move: AccountMove) =>
        around(() => {
          if (state.move?.moved_at_ms !== undefined) return false;
          state.move = move;
          return true;
        }),
      change: (move: AccountMove) =>
        around(() => {
          if (state.move?.move_id !== move.move_id || state.move.moved_at_ms !== undefined) return false;
          state.move = move;
          return true;
        }),
    },
    changes: {
      start: async () => {
        read = left.changed.length;
      },
      next: () =>
        around(() => {
          const keys = left.changed.slice(read);
          read = left.changed.length;
          return { keys, readUpToMs: state.nowMs };
        }),
    },
    copier,
    foldSteps: async () => undefined,
    open: () =>
      around(() => {
        state.isOpen = true;
      }),
    onStep: () => undefined,
  };
  return { left, right, state, accepted, deps };
}

const plain = (items: ReadonlyMap<string, StoredItem>): unknown =>
  [...items.values()]
    .map(({ moved: _mark, ...item }) => item)
    .sort((a, b) => (nameOfKey(keyOfItem(a)) < nameOfKey(keyOfItem(b)) ? -1 : 1));

const writeArb = fc.record({ slot: fc.nat(9), value: fc.nat(1_000), isRemoval: fc.boolean() });

describe('moving an account', () => {
  it('loses nothing and duplicates nothing, whatever is written in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writeArb, { maxLength: 200 }), async (writes) => {
        const { left, right, state, deps } = world(writes);
        const { kinds, isWhole } = await moveAccount(deps, { move_id: 'm', to: 'https://right/' });
        expect(state.isOpen).toBe(true);
        expect(isWhole).toBe(true);
        expect(plain(right.items)).toEqual(plain(left.items));
        expect([...kinds.values()].reduce((sum, count) => sum + count, 0)).toBe(left.items.size);
      }),
      { numRuns: sized(1_000, 60) },
    );
  });

  it('leaves the account where it was if it fails, and a second run gets to the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writeArb, { maxLength: 120 }),
        fc.integer({ min: 1, max: 150 }),
        async (writes, failAt) => {
          const { left, right, state, deps } = world(writes, failAt);
          const first = await moveAccount(deps, { move_id: 'first', to: 'https://right/' }).catch((error) => error);
          if (first instanceof Error && state.move?.moved_at_ms === undefined) {
            expect(state.isOpen).toBe(false);
            expect(moveRefusal(state.move, 'screening', state.nowMs + NOTICE_MS + LEASE_MS)).toBeUndefined();
            await moveAccount(deps, { move_id: 'second', to: 'https://right/' });
          } else if (first instanceof Error) await deps.open();
          expect(state.isOpen).toBe(true);
          expect(plain(right.items)).toEqual(plain(left.items));
        },
      ),
      { numRuns: sized(1_000, 60) },
    );
  });

  it('stops writes for less than half a minute', async () => {
    const { deps } = world([]);
    const { stoppedMs } = await moveAccount(deps, { move_id: 'm', to: 'https://right/' });
    expect(stoppedMs).toBeGreaterThanOrEqual(LAST_SCREENING_MS);
    expect(stoppedMs).toBeLessThan(30_000);
  });

  it('does not move an account that another command has taken over', async () => {
    const { state, deps } = world([]);
    const wait = async (ms: number): Promise<void> => {
      state.nowMs += ms;
      state.move = { move_id: 'rival', to: 'https://elsewhere/' };
    };
    await expect(moveAccount({ ...deps, wait }, { move_id: 'm', to: 'https://right/' })).rejects.toThrow('taken over');
    expect(state.isOpen).toBe(false);
  });

  it('leaves items of other accounts and of the stage alone', async () => {
    const { left, right, deps } = world([]);
    for (const pk of [`ENTITY#${OTHER}#x`, 'MARK#shard', 'MODEL#1']) {
      await left.table.put({ pk: { S: pk }, sk: { S: 'x' }, entity: { S: 'entity' } });
    }
    await moveAccount(deps, { move_id: 'm', to: 'https://right/' });
    expect(right.items.size).toBe(0);
  });
});
