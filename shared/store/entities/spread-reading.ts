import { FORGET_SPREAD_MS, firstShards, raised, type Spread, unfolded } from '../../domain/entities/entity-spread';
import { bucketIndex } from '../../domain/entities/kind-spec';
import {
  type AttributeValue,
  counterOf,
  digitsOf,
  type EntityItem,
  membersOf,
  textOf,
  type UpdateParams,
} from '../sdk/attribute-value';
import { expirySeconds, LIFETIME_COUNT_DIGITS, NAME } from './entity-attributes';
import { type ItemReading, SET_SLOT, SLOT } from './item-reading';
import { countOf, packed, type Unpacked, unpackSigned, unpackSignedLogs } from './log-amounts';
import {
  FAILED_LOGIN_LEVELS,
  FAILING_USERS_LEVEL,
  TRANSACTION_LEVELS,
  WIDE_COUNT_DIGITS,
  WIDE_LEVELS,
} from './time-buckets';

/** How an item says over how many shards its entity is spread: five numbers, the times in base 36. */
export const spreadText = ({ shards, most, folded_at_ms, since_ms, pace }: Spread): string =>
  `${shards}.${most}.${folded_at_ms.toString(36)}.${since_ms.toString(36)}.${pace}`;

export function spreadIn(value: AttributeValue | undefined): Spread | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [shards = '1', most = '1', foldedAt = '0', since = '0', pace = '0'] = text.split('.');
  return {
    shards: Number(shards),
    most: Number(most),
    folded_at_ms: Number.parseInt(foldedAt, 36),
    since_ms: Number.parseInt(since, 36),
    pace: Number(pace),
  };
}

type Values = Array<AttributeValue | undefined>;

const LOG_PARTS = [
  [SLOT.wideLogCount, 'count'],
  [SLOT.wideLogSum, 'sum'],
  [SLOT.wideLogSquares, 'squares'],
] as const;

const SET_SLOTS: readonly number[] = [
  ...Object.values(SET_SLOT).flatMap((slot) => [slot, slot + 1]),
  SLOT.buckets + FAILING_USERS_LEVEL.slot,
  SLOT.buckets + FAILING_USERS_LEVEL.slot + 1,
];
const PLAIN_SLOTS: readonly number[] = [
  SLOT.stopped,
  ...FAILED_LOGIN_LEVELS.flatMap(({ slot, live }) =>
    Array.from({ length: live }, (_, age) => SLOT.buckets + slot + age),
  ),
];
const LAST_SLOTS: readonly number[] = [SLOT.lastSeen, SLOT.spray];

const wholeOf = (value: AttributeValue | undefined): bigint => BigInt(digitsOf(value) ?? '0');

function addPacked(values: Values, slot: number, { count, cents }: Unpacked, weight: bigint): void {
  if (count === 0n && cents === 0n) return;
  const sum = wholeOf(values[slot]) + packed({ count: count * weight, cents: cents * weight }, WIDE_COUNT_DIGITS);
  values[slot] = { N: `${sum < 0n ? 0n : sum}` };
}

/** Counts that folds took from all shards after the home was read: all are recent, and every shard says how many. */
function addLaterFolds(values: Values, home: ItemReading, shard: ItemReading): void {
  const [known, latest] = [spreadIn(home.values[SLOT.spread]), spreadIn(shard.values[SLOT.spread])];
  if (latest === undefined || latest.folded_at_ms <= (known?.folded_at_ms ?? 0)) return;
  const more = wholeOf(shard.values[SLOT.folds]) - wholeOf(home.values[SLOT.folds]);
  const taken = unpackSigned({ N: `${more}` }, WIDE_COUNT_DIGITS);
  addPacked(values, SLOT.wideLifetime, taken, 1n);
  for (const { slot } of WIDE_LEVELS) addPacked(values, SLOT.buckets + slot, taken, 1n);
}

/**
 * An entity's values from its home alone: what shards have counted since the last fold is added by their pace, at the
 * amount that its attempts had on average. The reading itself, unless it is spread.
 */
export function homeReading(home: ItemReading, atMs: number): ItemReading {
  const spread = spreadIn(home.values[SLOT.spread]);
  const count = BigInt(spread === undefined ? 0 : unfolded(spread, atMs));
  if (count === 0n) return home;
  const values: Values = [...home.values];
  const all = unpackSigned(values[SLOT.wideLifetime], WIDE_COUNT_DIGITS);
  const recent = { count, cents: all.count > 0n ? (all.cents * count) / all.count : 0n };
  addPacked(values, SLOT.wideLifetime, recent, 1n);
  for (const { slot } of WIDE_LEVELS) addPacked(values, SLOT.buckets + slot, recent, 1n);
  return { ...home, values };
}

/**
 * An entity's values from its home and one of its shards: what people said and what was folded is the home's; what was
 * counted since the last fold is the shard's, and counts `weight` times: as often as there are shards if it stands for all
 * of them, once if every shard is added.
 */
export function spreadReading(home: ItemReading, shard: ItemReading, weight: number): ItemReading {
  const values: Values = [...home.values];
  const times = BigInt(weight);
  // So that everything below reads as spread, also before the first fold.
  values[SLOT.wideLifetime] ??= { N: '0' };
  addPacked(values, SLOT.wideLifetime, unpackSigned(shard.values[SLOT.lifetime], LIFETIME_COUNT_DIGITS), times);
  for (const [at, { slot, live, countDigits }] of TRANSACTION_LEVELS.entries()) {
    const wide = SLOT.buckets + (WIDE_LEVELS[at]?.slot ?? 0);
    for (let age = 0; age < live; age++) {
      addPacked(values, wide + age, unpackSigned(shard.values[SLOT.buckets + slot + age], countDigits), times);
    }
  }
  addLaterFolds(values, home, shard);
  const logs = unpackSignedLogs(shard.values[SLOT.logsUsd]);
  for (const [slot, part] of LOG_PARTS) values[slot] = { N: `${counterOf(values[slot]) + weight * logs[part]}` };
  for (const slot of PLAIN_SLOTS) {
    if (shard.values[slot] === undefined) continue;
    values[slot] = { N: `${wholeOf(values[slot]) + times * wholeOf(shard.values[slot])}` };
  }
  for (const slot of SET_SLOTS) {
    const [own, more] = [membersOf(values[slot]), membersOf(shard.values[slot])];
    if (more.length > 0) values[slot] = { SS: [...new Set([...own, ...more])] };
  }
  for (const slot of LAST_SLOTS) {
    if (counterOf(shard.values[slot]) > counterOf(values[slot])) values[slot] = shard.values[slot];
  }
  values[SLOT.firstSeen] ??= shard.values[SLOT.firstSeen];
  values[SLOT.location] = shard.values[SLOT.location] ?? values[SLOT.location];
  return { ...home, values };
}

/** How an entity should be spread that is not yet, by the newest bucket of its home; mostly undefined. */
export function heated({ values }: ItemReading, atMs: number, spread: Spread | undefined): Spread | undefined {
  const [newest] = TRANSACTION_LEVELS;
  const value = values[SLOT.buckets + newest.slot];
  if (value === undefined || (spread !== undefined && spread.shards > 1)) return undefined;
  const attempts = countOf(value, newest.countDigits);
  const spanMs = atMs - bucketIndex(newest, atMs) * newest.bucketMs;
  const shards = firstShards(attempts, spanMs);
  return shards === 1 ? undefined : raised(spread, shards, atMs);
}

/** Notes on a home how its entity is spread from now on, unless somebody else has changed that meanwhile. */
export const markUpdate = (before: Spread | undefined, spread: Spread): UpdateParams => ({
  // An item that has nothing else yet expires too.
  UpdateExpression: 'SET #0 = :0, #ttl = if_not_exists(#ttl, :ttl)',
  ExpressionAttributeNames: { '#0': NAME.spread, '#ttl': NAME.ttl },
  ExpressionAttributeValues: {
    ':0': { S: spreadText(spread) },
    ':ttl': { N: `${expirySeconds(spread.since_ms)}` },
    ...(before === undefined ? {} : { ':1': { S: spreadText(before) } }),
  },
  ConditionExpression: before === undefined ? 'attribute_not_exists(#0)' : '#0 = :1',
});

/** A process's knowledge of an entity that is spread. */
export interface KnownSpread {
  readonly spread: Spread;
  readonly home: EntityItem | undefined;
  readonly readAtMs: number;
  readonly usedAtMs: number;
  /** A fold has changed the number of shards since the home was read, and new shards know nothing of it. @default false */
  readonly isOutdated?: boolean | undefined;
}

/** Entities that are spread are few; the oldest are forgotten. */
const MOST_KNOWN = 500;

/** The memory of a process of spread entities, by account and name. Nothing is kept of others. */
export function spreadMemory() {
  const known = new Map<string, KnownSpread>();
  return {
    find(name: string, atMs: number): KnownSpread | undefined {
      if (known.size === 0) return undefined;
      const found = known.get(name);
      if (found === undefined || Math.abs(atMs - found.readAtMs) < FORGET_SPREAD_MS) return found;
      known.delete(name);
      return undefined;
    },
    use(name: string, about: KnownSpread, atMs: number): void {
      known.set(name, { ...about, usedAtMs: atMs });
    },
    put(name: string, about: KnownSpread): void {
      known.delete(name);
      known.set(name, about);
      if (known.size <= MOST_KNOWN) return;
      for (const oldest of known.keys()) {
        known.delete(oldest);
        return;
      }
    },
  };
}

export type SpreadMemory = ReturnType<typeof spreadMemory>;
