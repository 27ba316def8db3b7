import type { EntityKind } from '../../domain/entities/entity-history';
import { type CountedAttempts, folded, type Spread } from '../../domain/entities/entity-spread';
import { bucketIndex, KIND } from '../../domain/entities/kind-spec';
import { counterOf, digitsOf, type EntityItem, membersOf, textOf, type UpdateParams } from '../sdk/attribute-value';
import {
  addTo,
  finishUpdate,
  nameToken,
  removeName,
  setFrom,
  setOnce,
  setValue,
  startUpdate,
  type UpdateBuilder,
  valueToken,
} from '../sdk/update-builder';
import { setName } from './distinct-sets';
import { EVENT_GROUPS, expirySeconds, LIFETIME_COUNT_DIGITS, NAME } from './entity-attributes';
import { type ItemReading, readItem, SET_SLOT, SLOT } from './item-reading';
import { countOf, packed, type Unpacked, unpackQuarters, unpackSigned, unpackSignedLogs } from './log-amounts';
import { spreadIn, spreadText } from './spread-reading';
import {
  FAILED_LOGIN_LEVELS,
  FAILING_USERS_LEVEL,
  namesAt,
  TRANSACTION_LEVELS,
  WIDE_COUNT_DIGITS,
  WIDE_LEVELS,
} from './time-buckets';

export interface SpreadItems {
  readonly kind: EntityKind;
  readonly home: EntityItem;
  /** By their numbers; undefined where nothing was written yet. */
  readonly shards: ReadonlyArray<EntityItem | undefined>;
  readonly atMs: number;
}

/** The updates of one fold: they belong into one transaction. */
export interface Fold {
  readonly home: UpdateParams;
  readonly shards: ReadonlyArray<{ readonly shard: number; readonly params: UpdateParams }>;
  readonly spread: Spread | undefined;
}

interface Move {
  readonly slot: number;
  readonly name: string;
  readonly wide: string;
  readonly digits: number;
}

/** Sets of a home grow by folds up to this many members. Those hashed into 64 buckets never have more. */
const MOST_MEMBERS = 64;
/** Shards that were given up and are empty expire soon. */
const RETIRED_LIFE_SECONDS = 86_400;

function movesAt(atMs: number): readonly Move[] {
  const moves: Move[] = [
    { slot: SLOT.lifetime, name: NAME.lifetime, wide: NAME.wideLifetime, digits: LIFETIME_COUNT_DIGITS },
  ];
  for (const [at, level] of TRANSACTION_LEVELS.entries()) {
    const wide = WIDE_LEVELS[at] as (typeof WIDE_LEVELS)[number];
    const names = namesAt(level, bucketIndex(level, atMs));
    const wideNames = namesAt(wide, bucketIndex(wide, atMs));
    for (let age = 0; age < level.live; age++) {
      const slot = SLOT.buckets + level.slot + age;
      moves.push({ slot, name: names[age] ?? '', wide: wideNames[age] ?? '', digits: level.countDigits });
    }
  }
  return moves;
}

/** Numbers that have room for any count: a home and its shards have them under the same name. */
function plainNames(atMs: number): ReadonlyArray<readonly [slot: number, name: string]> {
  const logins = FAILED_LOGIN_LEVELS.flatMap((level) =>
    namesAt(level, bucketIndex(level, atMs))
      .slice(0, level.live)
      .map((name, age) => [SLOT.buckets + level.slot + age, name] as const),
  );
  const events = EVENT_GROUPS.map((name, at) => [SLOT.events + at, name] as const);
  return [[SLOT.stopped, NAME.stopped], ...events, ...logins];
}

const wholeOf = (reading: ItemReading, slot: number): bigint => BigInt(digitsOf(reading.values[slot]) ?? '0');
const plus = (a: Unpacked, b: Unpacked): Unpacked => ({ count: a.count + b.count, cents: a.cents + b.cents });

function addWhole(builder: UpdateBuilder, name: string, value: bigint): void {
  if (value !== 0n) addTo(builder, name, { N: `${value}` });
}

const sumOf = (readings: readonly ItemReading[], { slot, digits }: Move): Unpacked =>
  readings.map(({ values }) => unpackSigned(values[slot], digits)).reduce(plus, { count: 0n, cents: 0n });

function takeOut(builder: UpdateBuilder, reading: ItemReading, moves: readonly Move[]): void {
  for (const { slot, name } of moves) addWhole(builder, name, -wholeOf(reading, slot));
  addWhole(builder, NAME.logsUsd, -wholeOf(reading, SLOT.logsUsd));
}

function addLogs(builder: UpdateBuilder, readings: readonly ItemReading[]): void {
  const logs = readings.map(({ values }) => unpackSignedLogs(values[SLOT.logsUsd]));
  const sum = (part: 'count' | 'sum' | 'squares'): bigint =>
    logs.reduce((total, each) => total + BigInt(each[part]), 0n);
  addWhole(builder, NAME.wideLogCount, sum('count'));
  addWhole(builder, NAME.wideLogSum, sum('sum'));
  addWhole(builder, NAME.wideLogSquares, sum('squares'));
}

interface Readings {
  readonly own: ItemReading;
  readonly others: readonly ItemReading[];
}

function addMembers(builder: UpdateBuilder, name: string, slot: number, { own, others }: Readings): void {
  const held = new Set(membersOf(own.values[slot]));
  const room = Math.max(0, MOST_MEMBERS - held.size);
  const found = new Set(others.flatMap(({ values }) => membersOf(values[slot])));
  const SS = [...found].filter((member) => !held.has(member)).slice(0, room);
  if (SS.length > 0) addTo(builder, name, { SS });
}

function addSets(builder: UpdateBuilder, kind: EntityKind, readings: Readings, atMs: number): void {
  for (const [counterpart] of KIND[kind].counterparts) {
    const slot = SET_SLOT[counterpart];
    addMembers(builder, setName(counterpart, atMs), slot, readings);
    addMembers(builder, setName(counterpart, atMs, 1), slot + 1, readings);
  }
  const [now = '', before = ''] = namesAt(FAILING_USERS_LEVEL, bucketIndex(FAILING_USERS_LEVEL, atMs));
  const first = SLOT.buckets + FAILING_USERS_LEVEL.slot;
  addMembers(builder, now, first, readings);
  addMembers(builder, before, first + 1, readings);
}

const latest = (readings: readonly ItemReading[], slot: number): number =>
  Math.max(0, ...readings.map(({ values }) => counterOf(values[slot])));

/** Sets the values that keep the latest of something instead of a count. */
function setLatest(builder: UpdateBuilder, { own, others }: Readings, atMs: number): void {
  const lastSeen = latest([own, ...others], SLOT.lastSeen);
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(Math.max(lastSeen, atMs))}` });
  if (lastSeen > 0) setValue(builder, NAME.lastSeen, { N: `${lastSeen}` });
  const begun = others.map(({ values }) => counterOf(values[SLOT.firstSeen])).filter((ms) => ms > 0);
  if (begun.length > 0) setOnce(builder, NAME.firstSeen, { N: `${Math.min(...begun)}` });
  const spray = latest(others, SLOT.spray);
  if (spray > counterOf(own.values[SLOT.spray])) setValue(builder, NAME.spray, { N: `${spray}` });
  const last = others.find(({ values }) => lastSeen > 0 && counterOf(values[SLOT.lastSeen]) === lastSeen);
  const location = textOf(last?.values[SLOT.location]);
  if (location !== undefined) setValue(builder, NAME.location, { S: location });
}

/** Buckets that left their window a moment ago: while an entity is spread, its home may see no attempt that removes them. */
function removeStale(builder: UpdateBuilder, atMs: number): void {
  for (const level of [...WIDE_LEVELS, ...TRANSACTION_LEVELS]) {
    const names = namesAt(level, bucketIndex(level, atMs));
    for (const name of names.slice(level.live, level.live + 2)) removeName(builder, name);
  }
}

function attemptsIn(own: ItemReading, others: readonly ItemReading[], [lifetime]: readonly Move[]): CountedAttempts {
  const [newest] = TRANSACTION_LEVELS;
  const events = others
    .flatMap(({ values }) => EVENT_GROUPS.flatMap((_, at) => unpackQuarters(values[SLOT.events + at])))
    .reduce((sum, count) => sum + count, 0);
  const payments = Math.max(0, Number(sumOf(others, lifetime as Move).count));
  // Before the first fold, a home has counted for longer.
  const isFirst = own.values[SLOT.folds] === undefined;
  const home = isFirst ? 0 : countOf(own.values[SLOT.buckets + newest.slot], newest.countDigits);
  return { home, shards: payments + events };
}

/**
 * Moves what shards have counted to the home: the transaction adds there what it takes from them, so the sum never changes,
 * also if others write meanwhile. What the home itself counted narrowly moves to wide numbers too. On condition that the
 * home is spread as it was read: of two folds at the same time, one is refused. Undefined if it is not spread.
 */
export function foldUpdates({ kind, home, shards, atMs }: SpreadItems): Fold | undefined {
  const before = spreadIn(home[NAME.spread]);
  if (before === undefined) return undefined;
  const own = readItem(home, atMs);
  const moves = movesAt(atMs);
  const plain = plainNames(atMs);
  const parts = shards.flatMap((item, shard) => (item ? [{ shard, reading: readItem(item, atMs) }] : []));
  const others = parts.map(({ reading }) => reading);
  const spread = folded(before, attemptsIn(own, others, moves), atMs);
  const text = spread && spreadText(spread);

  const builder = startUpdate();
  const condition = `${nameToken(builder, NAME.spread)} = ${valueToken(builder, { S: spreadText(before) })}`;
  if (text === undefined) removeName(builder, NAME.spread);
  else setValue(builder, NAME.spread, { S: text });
  setLatest(builder, { own, others }, atMs);
  for (const move of moves) addWhole(builder, move.wide, packed(sumOf([own, ...others], move), WIDE_COUNT_DIGITS));
  addLogs(builder, [own, ...others]);
  takeOut(builder, own, moves);
  for (const [slot, name] of plain) {
    addWhole(
      builder,
      name,
      others.reduce((sum, reading) => sum + wholeOf(reading, slot), 0n),
    );
  }
  const moved = packed(sumOf(others, moves[0] as Move), WIDE_COUNT_DIGITS);
  addWhole(builder, NAME.folds, moved);
  addSets(builder, kind, { own, others }, atMs);
  removeStale(builder, atMs);

  const isRetired = (shard: number): boolean =>
    spread === undefined ? true : shard >= spread.most && spread.most < before.most;
  const updates = parts.map(({ shard, reading }) => {
    const taken = startUpdate();
    setValue(taken, NAME.spread, { S: text ?? spreadText({ ...before, shards: 1, folded_at_ms: atMs }) });
    setValue(taken, NAME.folds, { N: `${wholeOf(own, SLOT.folds) + moved}` });
    takeOut(taken, reading, moves);
    for (const [slot, name] of plain) addWhole(taken, name, -wholeOf(reading, slot));
    if (!isRetired(shard))
      return { shard, params: finishUpdate(taken, `attribute_exists(${nameToken(taken, NAME.ttl)})`) };
    setValue(taken, NAME.ttl, { N: `${Math.floor(atMs / 1000) + RETIRED_LIFE_SECONDS}` });
    const seen = nameToken(taken, NAME.lastSeen);
    const last = reading.values[SLOT.lastSeen];
    const isUnchanged = last ? `${seen} = ${valueToken(taken, last)}` : `attribute_not_exists(${seen})`;
    return { shard, params: finishUpdate(taken, isUnchanged) };
  });
  return { home: finishUpdate(builder, condition), shards: updates, spread };
}
