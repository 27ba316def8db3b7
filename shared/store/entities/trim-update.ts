import { amountCurrency } from '../../domain/entities/attempt-counts';
import type { Attempt, EntityKind } from '../../domain/entities/entity-history';
import { KIND } from '../../domain/entities/kind-spec';
import { surplusDays } from '../../domain/entities/largest-day';
import { isForgotten, markedScore } from '../../domain/entities/stopped-mark';
import {
  type AttributeValue,
  attributeSize,
  counterOf,
  type EntityItem,
  type LiveItem,
  membersOf,
  plainItem,
  type UpdateParams,
} from '../sdk/attribute-value';
import {
  addTo,
  deleteFrom,
  finishUpdate,
  isFull,
  nameToken,
  removeName,
  setValue,
  startUpdate,
  type UpdateBuilder,
  valueToken,
} from '../sdk/update-builder';
import { attemptWrites } from './attempt-writes';
import { staleDeclineMs, thinDeclines } from './decline-sets';
import { type SetKind, setAge, setName } from './distinct-sets';
import { recentDevice } from './earn-update';
import { currencyOf, DEVICE_SLOTS, logsName, NAME, totalName } from './entity-attributes';
import { isUnmarkedSpray, thinFailingUsers } from './failing-users';
import { type ItemReading, readItem, SLOT, streakAge } from './item-reading';
import { logCount } from './log-amounts';
import { STALE_TRIM_MS, staleAgeMs } from './time-buckets';

/**
 * Items above this size are trimmed. An attempt adds up to 130 bytes before its trim lands, and labels may still add 90
 * if there were none: together they stay below 1,000 (`windows.test.ts` plays through the worst case). A user's item
 * also gets what the attempt earns, or the mark of one that was stopped.
 */
const TRIM_ABOVE_BYTES = 800;
const TRIM_USERS_ABOVE_BYTES = 700;
/** Size of the wide numbers made by folds; such a home has two write units, and few writes while it is spread. */
const WIDE_BYTES = 600;
/** Marks of stopped attempts that a user's item keeps: the highest scores say most. */
const MOST_UNDECIDED = 4;
const MOST_REJECTED = 3;
/** Sets are shrunk by this much more than needed, so that the next attempt does not need another trim. */
const SLACK_BYTES = 60;
const MOST_FOLDED = 8;
const NOTHING: AttributeValue = { N: '0' };
/** The content an item keeps, by how far it is over size: currencies besides the attempt's own, members of a set. */
interface Grade {
  readonly aboveBytes: number;
  readonly currencies: number;
  readonly members: number;
  readonly codes: number;
}

/** Only a user with many labels and entirely random input reaches the strictest grade. */
const GRADES: readonly Grade[] = [
  { aboveBytes: 80, currencies: 0, members: 2, codes: 2 },
  { aboveBytes: 40, currencies: 1, members: 8, codes: 6 },
  { aboveBytes: 0, currencies: 2, members: 8, codes: 6 },
];
const [WORST] = GRADES;

const STALE_LOOK_MS = 16 * 86_400_000;
const fortnightOf = (atMs: number): number => Math.floor(atMs / STALE_LOOK_MS);

interface Stale {
  readonly names: readonly string[];
  /** Some are so old that their name could soon be reused. */
  readonly due: boolean;
}

const NOTHING_STALE: Stale = { names: [], due: false };

/** The names of buckets, sets and streaks that have left every window: nothing reads them any more. */
export function staleNames({ unread }: ItemReading, atMs: number): Stale {
  const names: string[] = [];
  let due = false;
  for (const name of unread) {
    const staleMs = staleAgeMs(name, atMs) ?? staleDeclineMs(name, atMs) ?? 0;
    const age = setAge(name, atMs) ?? streakAge(name, atMs) ?? 0;
    // 35 epochs "ago" is the next one: a clock ahead of ours.
    if (staleMs === 0 && (age < 2 || age > 30)) continue;
    names.push(name);
    due ||= staleMs > STALE_TRIM_MS || age > 3;
  }
  return { names, due };
}

interface Folded {
  readonly bytes: number;
  readonly condition: string;
}

/** Folds the rarest currencies into one; its condition refuses the update if one of them changed in the meantime. */
function foldCurrencies(builder: UpdateBuilder, item: EntityItem, keep: number, spare: string | undefined): Folded {
  const foldable = Object.keys(item)
    .map(currencyOf)
    .filter((currency) => currency !== undefined && currency !== spare) as string[];
  const folded = foldable
    .map((currency) => ({ currency, logs: item[logsName(currency)] ?? NOTHING }))
    .sort((a, b) => logCount(a.logs) - logCount(b.logs))
    .slice(0, Math.min(MOST_FOLDED, Math.max(0, foldable.length - keep)));
  let bytes = 0;
  let condition = '';
  let sum = 0n;
  for (const { currency, logs } of folded) {
    const total = totalName(currency);
    removeName(builder, total);
    const token = removeName(builder, logsName(currency));
    condition += ` AND ${token} = ${valueToken(builder, logs)}`;
    bytes += attributeSize(logsName(currency), logs) + attributeSize(total, item[total] ?? NOTHING);
    sum += digits(logs);
  }
  if (sum !== 0n) addTo(builder, NAME.otherCurrencies, { N: sum.toString() });
  return { bytes, condition };
}

const digits = (value: AttributeValue): bigint => ('N' in value ? BigInt(value.N) : 0n);

interface HeldEntity {
  readonly kind: EntityKind;
  readonly item: EntityItem;
  readonly atMs: number;
}

/** Things that were only tried go first. */
const TRIED: ReadonlyArray<readonly [SetKind, 4096]> = [
  ['tried_devices', 4096],
  ['tried_cards', 4096],
];

/** Shrinks sets of counterparts, previous epochs first, until `excess` bytes are saved or nothing is left to shrink. */
function shrinkSets(builder: UpdateBuilder, { kind, item, atMs }: HeldEntity, excess: number, grade: Grade): void {
  let left = excess;
  const { person, counterparts } = KIND[kind];
  const sets = person ? [...TRIED, ...counterparts] : counterparts;
  for (const [set] of sets) {
    const previous = setName(set, atMs, 1);
    const value = item[previous];
    if (left <= 0 || value === undefined) continue;
    removeName(builder, previous);
    left -= attributeSize(previous, value);
  }
  for (const [set, form] of sets) {
    const name = setName(set, atMs);
    const surplus = membersOf(item[name]).slice(form === 'code' ? grade.codes : grade.members);
    // A set of small form cannot grow: it is spared unless nothing else helps.
    if (left <= 0 || surplus.length === 0 || ((form === 32 || form === 64) && grade !== WORST)) continue;
    deleteFrom(builder, name, surplus);
    left -= surplus.reduce((bytes, member) => bytes + member.length, 0);
  }
}

function surplusMarks(marks: readonly string[], most: number, isOver: (mark: string) => boolean): readonly string[] {
  if (marks.length === 0) return marks;
  const over = marks.filter(isOver);
  const kept = marks.filter((mark) => !over.includes(mark));
  kept.sort(
    (a, b) => markedScore(b).risk_score - markedScore(a).risk_score || markedScore(b).at_ms - markedScore(a).at_ms,
  );
  return [...over, ...kept.slice(most)];
}

function staleMarks({ values }: ItemReading, atMs: number): ReadonlyArray<readonly [string, readonly string[]]> {
  const [undecided, rejected] = [values[SLOT.undecidedMarks], values[SLOT.rejectedMarks]];
  if (undecided === undefined && rejected === undefined) return [];
  const forgotten = (mark: string): boolean => isForgotten(mark, atMs);
  return (
    [
      [NAME.undecidedMarks, surplusMarks(membersOf(undecided), MOST_UNDECIDED, forgotten)],
      [NAME.rejectedMarks, surplusMarks(membersOf(rejected), MOST_REJECTED, () => false)],
    ] as const
  ).filter(([, marks]) => marks.length > 0);
}

function forgetDevices(builder: UpdateBuilder, item: EntityItem): void {
  const lastSeen = (slot: string): number => recentDevice(item[slot])?.last_seen_ms ?? 0;
  const [, ...earlier] = [...DEVICE_SLOTS].sort((a, b) => lastSeen(b) - lastSeen(a));
  for (const slot of earlier) removeName(builder, slot);
}

/** Keeps only the largest of a user's days; returns the bytes that are saved. */
function forgetDays(builder: UpdateBuilder, item: EntityItem, atMs: number): number {
  const name = setName('amounts', atMs);
  const surplus = surplusDays(membersOf(item[name]), atMs);
  if (surplus.length > 0) deleteFrom(builder, name, surplus);
  const previous = setName('amounts', atMs, 1);
  const earlier = item[name] === undefined ? undefined : item[previous];
  if (earlier !== undefined) removeName(builder, previous);
  return 3 * surplus.length + (earlier === undefined ? 0 : attributeSize(previous, earlier));
}

const isSprayAt = (kind: EntityKind, reading: ItemReading, at: Attempt | number): boolean =>
  typeof at !== 'number' && isUnmarkedSpray(kind, reading, at, attemptWrites(at).hashes.users);

/**
 * The update that brings an entity's item back to size, or undefined if none is needed; it also notes the time of a
 * password spray, which only the item and the attempt together show. Built from the item that the recording update
 * returned, and sent alongside the next call; if it is refused or lost, the next attempt retries it.
 */
export function trimUpdate(
  kind: EntityKind,
  held: EntityItem | LiveItem,
  at: Attempt | number,
  reading: ItemReading = readItem(held, typeof at === 'number' ? at : at.at_ms),
): UpdateParams | undefined {
  const { bytes, values } = reading;
  // Tells whether the item is still the same one; the former is missing on items from before it had its own name.
  const name = values[SLOT.firstSeen] === undefined ? NAME.trustedSince : NAME.firstSeen;
  const begun = values[SLOT.firstSeen] ?? values[SLOT.trustedSince];
  if (begun === undefined) return undefined;
  const atMs = typeof at === 'number' ? at : at.at_ms;
  let excess = bytes - (KIND[kind].person ? TRIM_USERS_ABOVE_BYTES : TRIM_ABOVE_BYTES);
  if (values[SLOT.wideLifetime] !== undefined) excess -= WIDE_BYTES;
  const isSpray = isSprayAt(kind, reading, at);
  const marks = staleMarks(reading, atMs);
  // Old names are looked for only at the first attempt in 16 days: the walk is expensive and they can wait for weeks.
  const isDue = excess > 0 || fortnightOf(counterOf(values[SLOT.lastSeen])) !== fortnightOf(atMs);
  if (!isDue && !isSpray && marks.length === 0) return undefined;
  const stale = isDue ? staleNames(reading, atMs) : NOTHING_STALE;
  if (excess <= 0 && !isSpray && !stale.due && marks.length === 0) return undefined;
  const item = plainItem(held);
  const builder = startUpdate();
  let condition = `${nameToken(builder, name)} = ${valueToken(builder, begun)}`;
  if (isSpray) setValue(builder, NAME.spray, { N: `${Math.floor(atMs / 1000)}` });
  for (const [set, surplus] of marks) {
    deleteFrom(builder, set, surplus);
    for (const mark of surplus) excess -= mark.length;
  }
  for (const staleName of stale.names) {
    if (isFull(builder)) break;
    removeName(builder, staleName);
    excess -= attributeSize(staleName, item[staleName] ?? NOTHING);
  }
  if (excess > 0) excess -= thinDeclines(builder, item, atMs);
  if (excess > 0 && KIND[kind].failingUsers) excess -= thinFailingUsers(builder, item, atMs);
  const grade = GRADES.find(({ aboveBytes }) => excess > aboveBytes);
  if (grade && KIND[kind].person) {
    const spare = typeof at === 'number' ? undefined : amountCurrency(at);
    const folded = foldCurrencies(builder, item, grade.currencies, spare);
    excess -= folded.bytes;
    condition += folded.condition;
    if (grade === WORST) forgetDevices(builder, item);
  }
  if (grade && KIND[kind].person) excess -= forgetDays(builder, item, atMs);
  if (grade && excess > 0) shrinkSets(builder, { kind, item, atMs }, excess + SLACK_BYTES, grade);
  return builder.nameCount === 1 ? undefined : finishUpdate(builder, condition);
}
