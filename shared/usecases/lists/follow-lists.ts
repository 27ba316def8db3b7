import { isHeldInMemory, type ListDefinition } from '../../domain/lists/list-definition';
import type { HeldEntries, KnownList } from '../../domain/lists/match-lists';

/** Dependencies of following an account's lists. */
export interface FollowListsDeps {
  readonly clock: { now(): number };
  readonly lists: { all(accountId: string): Promise<readonly ListDefinition[]> };
  readonly held: { entriesOf(accountId: string, number: number): Promise<HeldEntries> };
  readonly onFailure: (error: unknown) => void;
}

/*
 * A function reads an account's lists at most every 30 seconds, beside the first trip of a request. A change works
 * within a minute; the entries of exact types, which are flags on the entities themselves, work at once.
 */
const READ_EVERY_MS = 30_000;
/** After a failure, and for a read that never returned (the environment was frozen in the middle of it). */
const TRY_AGAIN_MS = 5_000;
/** How long a request waits for a read: if anything is known, it uses that. */
const WAIT_AT_MOST_MS = 250;
const WAIT_FIRST_MS = 800;
/** Of more accounts, the one that was not asked for longest is forgotten. */
const MOST_ACCOUNTS = 500;

interface Followed {
  known: readonly (KnownList & { readonly version: number })[] | undefined;
  nextMs: number;
  reading: Promise<readonly KnownList[]> | undefined;
}

/** Follows the lists of accounts from within a function; if a read fails, it keeps what it knows. */
export function listFollower({ clock, lists, held, onFailure }: FollowListsDeps) {
  const accounts = new Map<string, Followed>();

  function followed(accountId: string): Followed {
    const found = accounts.get(accountId) ?? { known: undefined, nextMs: 0, reading: undefined };
    // Moved to the end: the first one was not asked for longest.
    accounts.delete(accountId);
    accounts.set(accountId, found);
    const [oldest] = accounts.keys();
    if (accounts.size > MOST_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    return found;
  }

  async function read(accountId: string, account: Followed, startedMs: number): Promise<readonly KnownList[]> {
    const defined = await lists.all(accountId);
    const known = await Promise.all(
      defined.map(async ({ name, type, effect, number, version }) => {
        if (!isHeldInMemory(type)) return { name, type, effect, number, version };
        const before = account.known?.find((each) => each.number === number && each.version === version);
        const entries = before?.held ?? (await held.entriesOf(accountId, number));
        return { name, type, effect, number, version, held: entries };
      }),
    );
    account.known = known;
    account.nextMs = startedMs + READ_EVERY_MS;
    return known;
  }

  return {
    inForce(accountId: string): readonly KnownList[] | Promise<readonly KnownList[]> {
      const account = followed(accountId);
      const nowMs = clock.now();
      if (nowMs >= account.nextMs) {
        account.nextMs = nowMs + TRY_AGAIN_MS;
        account.reading = read(accountId, account, nowMs);
        account.reading.catch(onFailure);
      } else if (account.known !== undefined) return account.known;
      const { known, reading } = account;
      if (reading === undefined) return known ?? [];
      if (known === undefined) return atMost(WAIT_FIRST_MS, reading);
      return atMost(WAIT_AT_MOST_MS, reading).catch(() => known);
    },
  };
}

function atMost<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no lists within ${limitMs} ms`)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
