import type { ListDefinition, RemovedBy } from '../../domain/lists/list-definition';

type Due =
  | { readonly kind: 'entry'; readonly accountId: string; readonly number: number; readonly entity: string }
  | { readonly kind: 'purge'; readonly accountId: string; readonly number: number };

/** Dependencies of sweeping lists. */
export interface SweepListsDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly shards: readonly number[];
  readonly lists: { find(accountId: string, name: string): Promise<ListDefinition | undefined> };
  readonly entries: {
    due(shard: number, nowMs: number, limit: number): Promise<readonly Due[]>;
    listOf(accountId: string, number: number, entity: string): Promise<string | undefined>;
    remove(accountId: string, list: ListDefinition, entities: readonly string[], by: RemovedBy): Promise<number>;
    purge(accountId: string, number: number): Promise<boolean>;
  };
}

const BATCH = 100;
const AT_ONCE = 40;

/** Who removes entries that have expired. */
export const EXPIRY = 'expiry';

function byList(due: readonly Due[]): Map<string, { readonly first: Due; readonly entities: string[] }> {
  const groups = new Map<string, { readonly first: Due; readonly entities: string[] }>();
  for (const each of due) {
    if (each.kind !== 'entry') continue;
    const key = `${each.accountId}#${each.number}`;
    const group = groups.get(key) ?? { first: each, entities: [] };
    group.entities.push(each.entity);
    groups.set(key, group);
  }
  return groups;
}

/**
 * Removes entries that have expired and what deleted lists left, until nothing is due or time runs out. Screenings
 * compare times and know which lists exist, so a sweep that is late changes no decision.
 */
export async function sweepLists(deps: SweepListsDeps, deadlineMs: number): Promise<{ readonly removed: number }> {
  let removed = 0;
  const isLate = (): boolean => deps.clock.now() >= deadlineMs;
  for (const shard of deps.shards) {
    for (;;) {
      if (isLate()) return { removed };
      const nowMs = deps.clock.now();
      const due = await deps.entries.due(shard, nowMs, BATCH);
      let done = 0;
      for (const each of due) {
        if (each.kind === 'purge' && (await purgeAll(deps, each, isLate))) done += 1;
      }
      for (const { first, entities } of byList(due).values()) done += await expire(deps, first, entities, nowMs);
      removed += done;
      // The index lags behind the table: a batch with nothing left to do is the end, not a loop.
      if (due.length < BATCH || done === 0) break;
    }
  }
  return { removed };
}

async function purgeAll(
  { entries }: SweepListsDeps,
  { accountId, number }: Due,
  isLate: () => boolean,
): Promise<boolean> {
  while (await entries.purge(accountId, number)) if (isLate()) return false;
  return true;
}

async function expire(deps: SweepListsDeps, first: Due, entities: readonly string[], nowMs: number): Promise<number> {
  const { accountId, number } = first;
  const name = await deps.entries.listOf(accountId, number, entities[0] ?? '');
  const list = name === undefined ? undefined : await deps.lists.find(accountId, name);
  // Of a deleted list, the purge removes them.
  if (list?.number !== number) return 0;
  let removed = 0;
  for (let at = 0; at < entities.length; at += AT_ONCE) {
    const by = { author: { ulid: deps.newUlid(nowMs), by: EXPIRY, nowMs }, expiredAtMs: nowMs };
    removed += await deps.entries.remove(accountId, list, entities.slice(at, at + AT_ONCE), by);
  }
  return removed;
}
