import type { Attempt, EntityHistory, EntityKind } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import {
  homeFreshMs,
  isFoldDue,
  isWorthReading,
  moreShards,
  raised,
  type Spread,
  shardOf,
} from '../../domain/entities/entity-spread';
import { KIND } from '../../domain/entities/kind-spec';
import type { ListFlag } from '../../domain/lists/match-lists';
import { entityShard } from '../keys';
import { counterOf, type EntityItem, type UpdateParams } from '../sdk/attribute-value';
import { isThrottled, within } from '../sdk/client';
import type { EntityCalls, Updated } from './entity-calls';
import { foldUpdates } from './fold-updates';
import { type ItemReading, readItem, SLOT } from './item-reading';
import { historyOf } from './read-history';
import { countedBy, recordAttemptUpdate } from './record-attempt-update';
import {
  heated,
  homeReading,
  type KnownSpread,
  markUpdate,
  spreadIn,
  spreadMemory,
  spreadReading,
} from './spread-reading';
import { trimUpdate } from './trim-update';

export interface RecordedAttempt {
  readonly ref: EntityRef;
  readonly counted_by: string | undefined;
  readonly history: EntityHistory;
  readonly flags: readonly ListFlag[];
  /** Writes to make alongside the next call, if any: trims, folds, a mark that the entity is spread. */
  readonly trim: ((limitMs: number) => Promise<void>) | undefined;
}

type Job = (limitMs: number) => Promise<unknown>;

const together =
  (jobs: readonly Job[]): Job =>
  async (limitMs) => {
    const failed = (await Promise.allSettled(jobs.map((job) => job(limitMs)))).find(
      ({ status }) => status === 'rejected',
    );
    if (failed) throw (failed as PromiseRejectedResult).reason;
  };

/** A user does one thing at a time, and what is familiar to them must be in one place: they are not spread. */
const canSpread = (kind: EntityKind): boolean => !KIND[kind].person;

/**
 * Records attempts on entities: each is one update of the entity's item that returns the previous state. One that takes
 * part in too many is written to shards (the domain's `entity-spread.ts`), which this process remembers; nothing is kept or
 * asked of any other.
 */
export function attemptRecorder(calls: EntityCalls) {
  const memory = spreadMemory();
  const nameOf = (accountId: string, { key }: EntityRef): string => `${accountId}#${key}`;
  const isFresh = ({ readAtMs, isOutdated }: KnownSpread, attempt: Attempt): boolean =>
    !isOutdated && Math.abs(attempt.at_ms - readAtMs) < homeFreshMs(attempt);

  const remember = (
    accountId: string,
    ref: EntityRef,
    { at_ms }: Attempt,
    about: Pick<KnownSpread, 'spread' | 'home'>,
  ): void => memory.put(nameOf(accountId, ref), { ...about, readAtMs: at_ms, usedAtMs: at_ms });

  function spreadOf(accountId: string, ref: EntityRef, attempt: Attempt): KnownSpread | undefined {
    if (!canSpread(ref.kind)) return undefined;
    const known = memory.find(nameOf(accountId, ref), attempt.at_ms);
    if (known === undefined || known.spread.shards === 1) return undefined;
    const isUsed = isFresh(known, attempt) || isWorthReading(known.spread.shards, attempt.at_ms - known.usedAtMs);
    return isUsed ? known : undefined;
  }

  const trimJob =
    (accountId: string, entity: string, params: UpdateParams): Job =>
    (limitMs) =>
      calls.aside(accountId, { entity, params }, limitMs);

  /** Moves what shards have counted to the home. If it is refused or lost, the next interval moves it. */
  const foldJob =
    (accountId: string, { kind, key }: EntityRef, most: number, atMs: number): Job =>
    (limitMs) => {
      const folding = async (): Promise<void> => {
        const names = Array.from({ length: most }, (_, shard) => entityShard(key, shard));
        const [home, ...shards] = (await calls.read(accountId, [key, ...names], true)) ?? [];
        const fold = home && foldUpdates({ kind, home, shards, atMs });
        if (!fold) return;
        const taken = fold.shards.map(({ shard, params }) => ({ entity: entityShard(key, shard), params }));
        await calls.together(accountId, [{ entity: key, params: fold.home }, ...taken]);
        const trim = trimUpdate(kind, home, atMs);
        if (trim) await calls.aside(accountId, { entity: key, params: trim }, limitMs);
      };
      return within(limitMs, folding());
    };

  const markJob =
    (accountId: string, { key }: EntityRef, before: Spread | undefined, spread: Spread): Job =>
    (limitMs) =>
      calls.aside(accountId, { entity: key, params: markUpdate(before, spread) }, limitMs);

  function recorded(
    { ref, attempt }: { readonly ref: EntityRef; readonly attempt: Attempt },
    { item, isApplied }: Updated,
    reading: ItemReading,
    jobs: readonly Job[],
  ): RecordedAttempt {
    const counted = isApplied ? undefined : countedBy(item ?? {}, attempt);
    return {
      ref,
      counted_by: counted?.counted_by,
      history: historyOf(ref.kind, reading, attempt, counted?.at_ms),
      flags: reading.flags,
      trim: jobs.length === 0 ? undefined : (together(jobs) as (limitMs: number) => Promise<void>),
    };
  }

  async function onHome(accountId: string, ref: EntityRef, attempt: Attempt): Promise<RecordedAttempt> {
    const params = recordAttemptUpdate(ref.kind, attempt);
    const updated = await calls.record(accountId, { entity: ref.key, params });
    const { item } = updated;
    const reading = readItem(item, attempt.at_ms);
    const trim = item && trimUpdate(ref.kind, item, attempt, reading);
    const jobs: Job[] = trim ? [trimJob(accountId, ref.key, trim)] : [];
    if (item && canSpread(ref.kind)) {
      const spread = spreadIn(reading.values[SLOT.spread]);
      const hot = heated(reading, attempt.at_ms, spread);
      if (hot) jobs.push(markJob(accountId, ref, spread, hot));
      if (spread) {
        remember(accountId, ref, attempt, { spread, home: item });
        const lastSeenMs = counterOf(reading.values[SLOT.lastSeen]);
        if (isFoldDue(attempt.at_ms, lastSeenMs, spread))
          jobs.push(foldJob(accountId, ref, spread.most, attempt.at_ms));
      }
    }
    return recorded({ ref, attempt }, updated, homeReading(reading, attempt.at_ms), jobs);
  }

  async function homeOf(
    accountId: string,
    ref: EntityRef,
    attempt: Attempt,
    known: KnownSpread | undefined,
  ): Promise<EntityItem | undefined> {
    if (known && isFresh(known, attempt)) return known.home;
    try {
      const found = await calls.read(accountId, [ref.key], false);
      if (found === undefined) throw new Error(`the table did not return ${ref.key}`);
      const [home] = found;
      const spread = spreadIn(home?.sp) ?? known?.spread;
      if (spread) remember(accountId, ref, attempt, { spread, home });
      return home;
    } catch (error) {
      if (known === undefined) throw error;
      return known.home;
    }
  }

  /** Writes to a shard; if that is throttled, to one of twice as many. */
  async function updateShard(accountId: string, ref: EntityRef, attempt: Attempt, shards: number) {
    const params = recordAttemptUpdate(ref.kind, attempt);
    const on = (count: number) =>
      calls.record(accountId, { entity: entityShard(ref.key, shardOf(attempt, count)), params });
    try {
      return { updated: await on(shards), shards };
    } catch (error) {
      if (!isThrottled(error)) throw error;
      const more = moreShards(shards);
      return { updated: await on(more), shards: more };
    }
  }

  async function onShard(
    accountId: string,
    ref: EntityRef,
    attempt: Attempt,
    known: KnownSpread | undefined,
  ): Promise<RecordedAttempt> {
    const first = known?.spread.shards ?? moreShards(1);
    const reading = homeOf(accountId, ref, attempt, known);
    // Awaited below, after the update: until then a failure must not count as unhandled.
    reading.catch(() => undefined);
    const { updated, shards } = await updateShard(accountId, ref, attempt, first);
    const home = readItem(await reading, attempt.at_ms);
    const entity = entityShard(ref.key, shardOf(attempt, shards));
    const shard = readItem(updated.item, attempt.at_ms);
    const trim = updated.item && trimUpdate(ref.kind, updated.item, attempt, shard);
    const jobs: Job[] = trim ? [trimJob(accountId, entity, trim)] : [];

    const marked = spreadIn(home.values[SLOT.spread]);
    const isMore = shards > (marked?.shards ?? 1) && (known === undefined || shards !== first);
    const now = isMore ? raised(marked, shards, attempt.at_ms) : (marked ?? known?.spread);
    if (now && (isMore || marked === undefined)) jobs.push(markJob(accountId, ref, marked, { ...now, shards }));
    const latest = spreadIn(shard.values[SLOT.spread]);
    const isNewer = latest !== undefined && latest.folded_at_ms > (marked?.folded_at_ms ?? 0);
    if (isMore && now) remember(accountId, ref, attempt, { spread: now, home: await reading });
    else if (known) {
      const spread = isNewer && marked !== undefined ? latest : (marked ?? known.spread);
      const name = nameOf(accountId, ref);
      const isOutdated = spread.shards !== (marked ?? spread).shards;
      memory.use(name, { ...(memory.find(name, attempt.at_ms) ?? known), spread, isOutdated }, attempt.at_ms);
    }
    const isFirst = entity === entityShard(ref.key, 0);
    const due = isNewer ? latest : now;
    if (isFirst && due && isFoldDue(attempt.at_ms, counterOf(shard.values[SLOT.lastSeen]), due)) {
      jobs.push(foldJob(accountId, ref, Math.max(due.most, shards), attempt.at_ms));
    }
    return recorded({ ref, attempt }, updated, spreadReading(home, shard, shards), jobs);
  }

  async function record(accountId: string, ref: EntityRef, attempt: Attempt): Promise<RecordedAttempt> {
    const known = spreadOf(accountId, ref, attempt);
    if (known) return onShard(accountId, ref, attempt, known);
    try {
      return await onHome(accountId, ref, attempt);
    } catch (error) {
      // A throttled call was certainly not applied, so it may be repeated elsewhere.
      if (!isThrottled(error)) throw error;
      return canSpread(ref.kind) ? onShard(accountId, ref, attempt, undefined) : onHome(accountId, ref, attempt);
    }
  }

  return {
    record: (accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<RecordedAttempt> =>
      within(limitMs, record(accountId, ref, attempt)),

    /** The item that an attempt was or would be recorded on: what follows from it is counted there too. */
    itemOf(accountId: string, ref: EntityRef, attempt: Attempt): string {
      const known = spreadOf(accountId, ref, attempt);
      return known ? entityShard(ref.key, shardOf(attempt, known.spread.shards)) : ref.key;
    },

    /** Recent knowledge of this process about an entity that is spread, if any. */
    known(accountId: string, ref: EntityRef, attempt: Attempt): KnownSpread | undefined {
      const known = spreadOf(accountId, ref, attempt);
      return known && isFresh(known, attempt) ? known : undefined;
    },

    remember(accountId: string, ref: EntityRef, item: EntityItem, attempt: Attempt): void {
      const spread = canSpread(ref.kind) ? spreadIn(item.sp) : undefined;
      if (spread) remember(accountId, ref, attempt, { spread, home: item });
    },
  };
}

export type AttemptRecorder = ReturnType<typeof attemptRecorder>;
