import { BASE64 } from '../../domain/entities/counterpart-hashes';
import {
  type CountedDecline,
  countDeclines,
  declineText,
  HALF_DAY_MS,
  halfDayOf,
  NO_DECLINES,
} from '../../domain/entities/declines';
import type { DeclineCounts } from '../../domain/entities/entity-history';
import { type AttributeValue, counterOf, type EntityItem, membersOf } from '../sdk/attribute-value';
import { addTo, deleteFrom, removeName, type UpdateBuilder } from '../sdk/update-builder';

/*
 * Under `dc` and the number of the half day in three characters: the declines of that half day (the domain's `declines.ts`);
 * under `do`, likewise, how many there were, which stays right when a trim thins the set.
 */
const SET = 'dc';
const COUNT = 'do';
const NAME_LENGTH = 5;
/** Half days that 24 hours can overlap. */
export const LIVE_HALF_DAYS = 3;
const AGES = [0, 1, 2];
/** Of a set, a trim keeps this many: the latest. */
const KEPT = 8;
/** Half days that a decline removes: what is older waits for a trim. */
const REMOVED = 4;

const suffix = (halfDay: number): string =>
  BASE64.charAt((halfDay >> 12) & 63) + BASE64.charAt((halfDay >> 6) & 63) + BASE64.charAt(halfDay & 63);

/** The names of what counts at a time: sets, newest first, then their numbers. */
export function declineNames(atMs: number): readonly string[] {
  const now = halfDayOf(atMs);
  const live = Array.from({ length: LIVE_HALF_DAYS }, (_, age) => suffix(now - age));
  return [...live.map((half) => SET + half), ...live.map((half) => COUNT + half)];
}

/** The age in ms of a set or number that has left every window; 0 while it counts; undefined for any other name. */
export function staleDeclineMs(name: string, atMs: number): number | undefined {
  if (name.length !== NAME_LENGTH || !(name.startsWith(SET) || name.startsWith(COUNT))) return undefined;
  const halfDay = [...name.slice(2)].reduce((sum, one) => (sum << 6) + BASE64.indexOf(one), 0);
  const age = (halfDayOf(atMs) & 0x3ffff) - halfDay;
  return age < LIVE_HALF_DAYS ? 0 : age * HALF_DAY_MS;
}

export function addDecline(builder: UpdateBuilder, decline: CountedDecline, nowMs: number): void {
  const half = halfDayOf(decline.at_ms);
  addTo(builder, SET + suffix(half), { SS: [declineText(decline)] });
  addTo(builder, COUNT + suffix(half), { N: '1' });
  for (let age = LIVE_HALF_DAYS; age < LIVE_HALF_DAYS + REMOVED; age++) {
    removeName(builder, SET + suffix(halfDayOf(nowMs) - age));
    removeName(builder, COUNT + suffix(halfDayOf(nowMs) - age));
  }
}

/** The declines in an item, from its values as of a slot, in the order of `declineNames`. Most items have none. */
export function readDeclines(
  values: ReadonlyArray<AttributeValue | undefined>,
  slot: number,
  atMs: number,
): DeclineCounts {
  // Every decline is counted by a number; three lookups are all that an item without any costs.
  const first = slot + LIVE_HALF_DAYS;
  if (values[first] === undefined && values[first + 1] === undefined && values[first + 2] === undefined)
    return NO_DECLINES;
  // A reading has holes, which `map` would leave.
  const sets = AGES.map((age) => membersOf(values[slot + age]));
  const counts = countDeclines(sets, atMs);
  const numbers = AGES.map((age) => counterOf(values[first + age]));
  const all = numbers.reduce((sum, each) => sum + each, 0);
  const held = sets.reduce((sum, set) => sum + set.length, 0);
  if (all <= held) return counts;
  // Thinned: of the oldest half day, the share that is still inside.
  const share = 1 - (atMs % HALF_DAY_MS) / HALF_DAY_MS;
  const [now = 0, before = 0, oldest = 0] = numbers;
  return { ...counts, '24h': Math.max(counts['24h'], Math.round(now + before + share * oldest)) };
}

/** Thins the sets out; returns the bytes saved. */
export function thinDeclines(builder: UpdateBuilder, item: EntityItem, atMs: number): number {
  let saved = 0;
  for (const name of declineNames(atMs).slice(0, LIVE_HALF_DAYS)) {
    const surplus = [...membersOf(item[name])].sort(byTime).slice(0, -KEPT);
    if (surplus.length === 0) continue;
    deleteFrom(builder, name, surplus);
    saved += surplus.reduce((bytes, text) => bytes + text.length, 0);
  }
  return saved;
}

const stepOf = (text: string): number => (BASE64.indexOf(text.charAt(0)) << 6) + BASE64.indexOf(text.charAt(1));
const byTime = (a: string, b: string): number => stepOf(a) - stepOf(b);
