import { hash32 } from './counterpart-hashes';
import type { Attempt } from './entity-history';

/*
 * An entity that takes part in too many attempts for one item is written to shards next to its **home**:
 *
 *   attempt ──▶ shard 5 of 8   counts                      ┐ every 20 seconds a fold moves what shards have counted
 *   attempt ──▶ shard 2 of 8   counts                      ┘ to the home, in one transaction
 *   people  ──▶ home           labels, lists, trust, and all that was folded
 *
 * A screening reads the home plus its own shard times the number of shards: attempts choose their shard by hash, so
 * any shard stands for all, and for 20 seconds at most. A process that meets the entity for the first time writes to the home
 * and adds what shards have taken since by their pace. Whatever is interrupted, home and shards together hold everything.
 */

/** From this many attempts per second on, an entity is spread: its buckets have room for 57 (`time-buckets.ts`). */
export const HOT_PER_SECOND = 50;
/** Target load of a shard; an item takes 1,000. */
const SHARD_PER_SECOND = 200;
/** A fold is one transaction, which takes 100 items. */
export const MOST_SHARDS = 64;
/** Counts in shards move home this often. */
export const FOLD_MS = 20_000;
/**
 * For a while after the number of shards has changed, processes disagree about it, and a shard does not stand for the others:
 * then what they hold moves more often.
 */
const UNSETTLED_MS = 30_000;
const UNSETTLED_FOLD_MS = 1_000;
/** A process remembers an entity's shards for this long at most, unless it reads the home again. */
export const FORGET_SPREAD_MS = 60_000;
/** Nobody writes to a shard this long after it was given up: every process has forgotten it, and no request takes so long. */
const RETIRED_MS = 2 * FORGET_SPREAD_MS;
/** Up to this many shards the home can take attempts from processes that seldom see the entity, which saves a read. */
const FEW_SHARDS = 4;
const SELDOM_MS = 10_000;
/** Attempts that an entity must have per shard before one shard represents all: the error is then usually at most 1%. */
const LEAST_PER_SHARD = 2_500;
/** Shards are given up only if fewer would do even at a rate this much higher. */
const SLACK = 1.5;
const SHARD_SALT = 0x73686172;

/** How an entity is spread. */
export interface Spread {
  readonly shards: number;
  /** How many shards may hold counts that are not folded yet. */
  readonly most: number;
  readonly folded_at_ms: number;
  readonly since_ms: number;
  readonly pace: number;
}

function wanted(perSecond: number): number {
  if (perSecond <= HOT_PER_SECOND) return 1;
  return Math.min(MOST_SHARDS, 2 ** Math.max(1, Math.ceil(Math.log2(perSecond / SHARD_PER_SECOND))));
}

/** How many shards an entity should have that has `shards` of them, by its attempts per second. */
export function shardsFor(perSecond: number, shards = 1): number {
  const more = wanted(perSecond);
  return more >= shards ? more : Math.min(shards, wanted(perSecond * SLACK));
}

/** How many shards an entity should have that is not spread, by its recent attempts. */
export function firstShards(attempts: number, spanMs: number): number {
  const most = 2 ** Math.floor(Math.log2(Math.max(1, attempts / LEAST_PER_SHARD)));
  return Math.min(most, shardsFor((1000 * attempts) / Math.max(1, spanMs)));
}

/** Whether a process that knows an entity's shards should write to them, though it has to read the home again. */
export const isWorthReading = (shards: number, sinceLastMs: number): boolean =>
  shards > FEW_SHARDS || sinceLastMs < SELDOM_MS;

/** The next number of shards for an item that was throttled. */
export const moreShards = (shards: number): number => Math.min(MOST_SHARDS, Math.max(8, 2 * shards));

/** How an entity is spread from now on, over at least so many shards. */
export const raised = (before: Spread | undefined, shards: number, atMs: number): Spread => ({
  shards,
  most: Math.max(shards, before?.most ?? 1),
  folded_at_ms: before?.folded_at_ms ?? atMs,
  since_ms: atMs,
  pace: before?.pace ?? 0,
});

const isUnsettled = ({ since_ms, shards }: Spread, atMs: number): boolean =>
  shards > 1 && atMs - since_ms < UNSETTLED_MS;

/** Attempts since the last fold, by where they were counted. */
export interface CountedAttempts {
  readonly home: number;
  readonly shards: number;
}

/** How an entity is spread after a fold; undefined if it has cooled down and every shard is empty. */
export function folded(before: Spread, counted: CountedAttempts, atMs: number): Spread | undefined {
  const spanMs = Math.max(1000, atMs - before.folded_at_ms);
  const measured = shardsFor((1000 * (counted.home + counted.shards)) / spanMs, before.shards);
  // A lull of a second does not justify giving up shards that were just made.
  const shards = isUnsettled(before, atMs) ? Math.max(before.shards, measured) : measured;
  const isSettled = shards === before.shards && atMs - before.since_ms >= RETIRED_MS;
  if (isSettled && shards === 1) return undefined;
  return {
    shards,
    most: isSettled ? shards : Math.max(shards, before.most),
    folded_at_ms: atMs,
    since_ms: shards === before.shards ? before.since_ms : atMs,
    pace: Math.round((1000 * counted.shards) / spanMs),
  };
}

/** How many attempts shards have probably counted since the last fold, for those who know only the home. */
export const unfolded = ({ pace, folded_at_ms }: Spread, atMs: number): number =>
  Math.round((pace * Math.min(FOLD_MS, Math.max(0, atMs - folded_at_ms))) / 1000);

/** The same for all requests with one `Idempotency-Key`: while the number of shards is unchanged, a repeat meets the first. */
const spreadHash = ({ repeat_key, attempt_id }: Attempt): number => hash32(repeat_key ?? attempt_id, SHARD_SALT);

/** The shard that an attempt is written to. */
export const shardOf = (attempt: Attempt, shards: number): number => spreadHash(attempt) % shards;

const HOME_FRESH_MS = 25_000;
const JITTER_MS = 8_192;

/** How stale a home may be for an attempt: about 30 seconds, like lists and rules, but spread out. */
export const homeFreshMs = (attempt: Attempt): number => HOME_FRESH_MS + ((spreadHash(attempt) >>> 8) % JITTER_MS);

/** Whether an attempt is the first of its interval on an item, and so the one that folds. */
export function isFoldDue(atMs: number, lastSeenMs: number, spread: Spread): boolean {
  const everyMs = isUnsettled(spread, atMs) ? UNSETTLED_FOLD_MS : FOLD_MS;
  return Math.floor(atMs / everyMs) > Math.floor(lastSeenMs / everyMs) && atMs - spread.folded_at_ms >= everyMs / 2;
}
