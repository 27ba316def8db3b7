import { unfolded } from '../../domain/entities/entity-spread';
import { type AttributeValue, counterOf, digitsOf, membersOf } from '../sdk/attribute-value';
import { SET_KINDS } from './distinct-sets';
import { LIFETIME_COUNT_DIGITS } from './entity-attributes';
import { type ItemReading, SLOT } from './item-reading';
import { unpackSignedLogs } from './log-amounts';
import { packed, type Unpacked, unpackSigned } from './packed-number';
import { spreadIn } from './spread-text';
import {
  FAILED_LOGIN_LEVELS,
  FAILING_USERS_LEVEL,
  TRANSACTION_LEVELS,
  WIDE_COUNT_DIGITS,
  WIDE_LEVELS,
} from './time-buckets';

type Values = Array<AttributeValue | undefined>;

const LOG_PARTS = [
  [SLOT.wideLogCount, 'count'],
  [SLOT.wideLogSum, 'sum'],
  [SLOT.wideLogSquares, 'squares'],
] as const;

/** Sets of which the home's and the shard's members count together. */
const SET_SLOTS: readonly number[] = [
  ...SET_KINDS.flatMap((_, at) => [SLOT.sets + 2 * at, SLOT.sets + 2 * at + 1]),
  SLOT.buckets + FAILING_USERS_LEVEL.slot,
  SLOT.buckets + FAILING_USERS_LEVEL.slot + 1,
];
/** Numbers that a home and its shards have under the same name. */
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

/** What folds took from all shards after the home was read: all of it is recent, and every shard says how much it was. */
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
  return { values, currencies: home.currencies, flags: home.flags, bytes: home.bytes };
}
