import { HALF_DAY_MS } from '../../domain/entities/declines';
import type { ListFlag } from '../../domain/lists/match-lists';
import { type AttributeValue, attributeSize, type EntityItem, type LiveItem, wireValue } from '../sdk/attribute-value';
import { declineNames } from './decline-sets';
import { EPOCH_CHARACTERS, EPOCH_MS, SET_KINDS, type SetKind, setName } from './distinct-sets';
import {
  CHANGE_NAMES,
  currencyOf,
  DEVICE_SLOTS,
  EVENT_GROUPS,
  HOUR_GROUPS,
  NAME,
  totalName,
} from './entity-attributes';
import { listFlag, NO_FLAGS } from './list-flags';
import { LEVELS, LIVE_BUCKETS, namesAt } from './time-buckets';

/*
 * When the first fraud of a 30-day epoch was confirmed, in seconds, under `r` and the epoch's character. A terminal
 * or a card that was copied is bad for some weeks and then clean again: how long ago its trouble began says more about
 * the next attempt than how much trouble there was. The current and the previous epoch count.
 */
const LETTER = 'r';

const epochOf = (atMs: number): number => Math.floor(atMs / EPOCH_MS);

/** The name under which the epoch of this time, or the one `back` epochs ago, keeps its first fraud. */
export const streakName = (atMs: number, back = 0): string =>
  LETTER + EPOCH_CHARACTERS.charAt((epochOf(atMs) - back) % EPOCH_CHARACTERS.length);

/** How many epochs ago a name was current; undefined if it is not the name of a streak. */
export function streakAge(name: string, atMs: number): number | undefined {
  if (name.length !== 2 || !name.startsWith(LETTER)) return undefined;
  const position = EPOCH_CHARACTERS.indexOf(name.charAt(1));
  const ring = EPOCH_CHARACTERS.length;
  return position < 0 ? undefined : (((epochOf(atMs) - position) % ring) + ring) % ring;
}

/*
 * An item has some 60 attributes, a history asks for 110 names, and no two items have the same ones: looking each up by
 * name would take most of a screening's time (0.2 µs per name). So an item is walked once, and the walk puts every
 * value into the slot of its meaning, which changes every few minutes (4 µs per item, including its size).
 */

/** Which slot of a reading holds the values of each meaning; for a group, the first slot. */
export const SLOT = {
  firstSeen: 0,
  lastSeen: 1,
  location: 2,
  lifetime: 3,
  logsUsd: 4,
  otherCurrencies: 5,
  review: 6,
  block: 7,
  fraud: 8,
  legitimate: 9,
  lastLabel: 10,
  events: 11,
  hours: 13,
  devices: 15,
  changes: 18,
  spray: 24,
  trustedSince: 25,
  approved: 26,
  stopped: 27,
  undecidedMarks: 28,
  rejectedMarks: 29,
  spread: 30,
  wideLifetime: 31,
  wideLogCount: 32,
  wideLogSum: 33,
  wideLogSquares: 34,
  folds: 35,
  /** Sets by `SET_KINDS`: for each in order, that of this epoch, then the previous one. */
  sets: 36,
  /** First frauds, likewise: of this epoch, then of the previous one. */
  streaks: 52,
  /** Live buckets, in the order of their levels. */
  buckets: 54,
} as const;

/** Where each kind of set has its two slots: that of this epoch, then the previous one. */
export const SET_SLOT = Object.fromEntries(SET_KINDS.map((kind, at) => [kind, SLOT.sets + 2 * at])) as Readonly<
  Record<SetKind, number>
>;

/** The slots of declines, in the order of `declineNames`, follow the buckets. */
export const DECLINE_SLOT = SLOT.buckets + LIVE_BUCKETS;
export const DECLINE_SLOTS = 6;

const FIXED_NAMES: readonly string[] = [
  NAME.firstSeen,
  NAME.lastSeen,
  NAME.location,
  NAME.lifetime,
  NAME.logsUsd,
  NAME.otherCurrencies,
  NAME.review,
  NAME.block,
  NAME.fraud,
  NAME.legitimate,
  NAME.lastLabel,
  ...EVENT_GROUPS,
  ...HOUR_GROUPS,
  ...DEVICE_SLOTS,
  ...Object.values(CHANGE_NAMES),
  NAME.spray,
  NAME.trustedSince,
  NAME.approved,
  NAME.stopped,
  NAME.undecidedMarks,
  NAME.rejectedMarks,
  NAME.spread,
  NAME.wideLifetime,
  NAME.wideLogCount,
  NAME.wideLogSum,
  NAME.wideLogSquares,
  NAME.folds,
];

interface Turn {
  readonly turnMs: number;
  /** The names of this turn, by its number. */
  slotsOf(turn: number, atMs: number): ReadonlyArray<readonly [name: string, slot: number]>;
  current: number;
  named: readonly string[];
}

const turnOf = (turnMs: number, slotsOf: Turn['slotsOf']): Turn => ({ turnMs, slotsOf, current: -1, named: [] });

/** The names that change with time, by how often: most attempts find only the shortest buckets changed, or nothing. */
const TURNS: readonly Turn[] = [
  turnOf(EPOCH_MS, (_, atMs) => [
    ...SET_KINDS.flatMap((kind) => [
      [setName(kind, atMs), SET_SLOT[kind]] as const,
      [setName(kind, atMs, 1), SET_SLOT[kind] + 1] as const,
    ]),
    [streakName(atMs), SLOT.streaks],
    [streakName(atMs, 1), SLOT.streaks + 1],
  ]),
  turnOf(HALF_DAY_MS, (_, atMs) => declineNames(atMs).map((name, at) => [name, DECLINE_SLOT + at] as const)),
  ...LEVELS.map((level) =>
    turnOf(level.bucketMs, (index) =>
      namesAt(level, index)
        .slice(0, level.live)
        .map((name, age) => [name, SLOT.buckets + level.slot + age] as const),
    ),
  ),
];

const slots = new Map(FIXED_NAMES.map((name, slot) => [name, slot]));
let [fromMs, untilMs] = [0, 0];

function slotsAt(atMs: number): ReadonlyMap<string, number> {
  if (atMs >= fromMs && atMs < untilMs) return slots;
  [fromMs, untilMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const turn of TURNS) {
    const { turnMs } = turn;
    const index = Math.floor(atMs / turnMs);
    fromMs = Math.max(fromMs, index * turnMs);
    untilMs = Math.min(untilMs, (index + 1) * turnMs);
    if (turn.current === index) continue;
    // No two meanings share a name, whatever the time is.
    for (const name of turn.named) slots.delete(name);
    const named = turn.slotsOf(index, atMs);
    for (const [name, slot] of named) slots.set(name, slot);
    turn.current = index;
    turn.named = named.map(([name]) => name);
  }
  return slots;
}

export interface CurrencyValues {
  readonly currency: string;
  readonly logs: AttributeValue;
  readonly total: AttributeValue | undefined;
}

export interface ItemReading {
  /** By `SLOT`. Values that are stale or not part of a history have no slot. */
  readonly values: ReadonlyArray<AttributeValue | undefined>;
  readonly currencies: readonly CurrencyValues[];
  readonly flags: readonly ListFlag[];
  /** Names that have no slot; among them are those of everything stale. */
  readonly unread: readonly string[];
  /** The item's size as DynamoDB counts it. */
  readonly bytes: number;
}

const noValues = (): Array<AttributeValue | undefined> => new Array(DECLINE_SLOT + DECLINE_SLOTS);

export const EMPTY_READING: ItemReading = { values: noValues(), currencies: [], flags: NO_FLAGS, unread: [], bytes: 0 };

export function readItem(item: EntityItem | LiveItem | undefined, atMs: number): ItemReading {
  if (item === undefined) return EMPTY_READING;
  const slots = slotsAt(atMs);
  const values = noValues();
  const currencies: CurrencyValues[] = [];
  const unread: string[] = [];
  let flags = NO_FLAGS;
  let bytes = 0;
  const read = (name: string, value: AttributeValue): void => {
    bytes += attributeSize(name, value);
    const slot = slots.get(name);
    if (slot !== undefined) {
      values[slot] = value;
      return;
    }
    unread.push(name);
    const flag = listFlag(name, value);
    if (flag !== undefined) flags = [...flags, flag];
    const currency = currencyOf(name);
    if (currency === undefined) return;
    const other = totalName(currency);
    const total = item instanceof Map ? wireValue(item.get(other)) : (item as EntityItem)[other];
    currencies.push({ currency, logs: value, total });
  };
  if (item instanceof Map) for (const [name, value] of item) read(name, wireValue(value));
  else {
    // Both at once: no two items have the same names, so each lookup by name would be V8's slowest.
    const names = Object.keys(item);
    const held = Object.values(item as EntityItem);
    for (let at = 0; at < names.length; at++) read(names[at] as string, held[at] as AttributeValue);
  }
  return { values, currencies, flags, unread, bytes };
}
