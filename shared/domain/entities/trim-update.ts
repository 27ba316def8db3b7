import { amountCurrency } from './attempt-delta';
import type { AttributeValue, EntityItem, UpdateParams } from './attribute-value';
import { counterOf, membersOf } from './attribute-value';
import { setAge, setName } from './distinct-sets';
import { KIND, logsName, NAME, totalName } from './entity-attributes';
import type { Attempt, EntityKind } from './entity-history';
import { attributeSize, itemSize, surveyItem } from './item-size';
import { logCount } from './log-amounts';
import { STALE_TRIM_MS, staleAgeMs } from './time-buckets';
import {
  addTo,
  deleteFrom,
  finishUpdate,
  isFull,
  nameToken,
  removeName,
  startUpdate,
  type UpdateBuilder,
  valueToken,
} from './update-builder';

/** Above this an item is trimmed. A touch adds up to 130 bytes before its trim lands, so 1,000 holds. */
export const TRIM_ABOVE_BYTES = 820;
/** So far above it a user keeps one currency apart instead of two. */
const FAR_ABOVE_BYTES = 40;
/** Sets are shrunk by so much more than needed, lest the next touch needs it again. */
const SLACK_BYTES = 60;
const MOST_FOLDED = 8;
const NOTHING: AttributeValue = { N: '0' };
/** What is left of a set whose members are not bounded by their form. */
const KEEP_MEMBERS = 8;
const KEEP_CODES = 6;

const STALE_LOOK_MS = 16 * 86_400_000;
const fortnightOf = (atMs: number): number => Math.floor(atMs / STALE_LOOK_MS);

interface Stale {
  readonly names: readonly string[];
  /** Some are so old that their name could come round again. */
  readonly due: boolean;
}

function staleNames(item: EntityItem, atMs: number): Stale {
  const names: string[] = [];
  let due = false;
  for (const name in item) {
    const staleMs = staleAgeMs(name, atMs) ?? 0;
    const age = setAge(name, atMs) ?? 0;
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

/** Folds the rarest currencies into one; refused by its condition when one of them moved meanwhile. */
function foldCurrencies(builder: UpdateBuilder, item: EntityItem, keep: number, spare: string | undefined): Folded {
  const folded = surveyItem(item)
    .currencies.filter((currency) => currency !== spare)
    .map((currency) => ({ currency, logs: item[logsName(currency)] ?? NOTHING }))
    .sort((a, b) => logCount(b.logs) - logCount(a.logs))
    .slice(keep)
    .slice(0, MOST_FOLDED);
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

/** Shrinks sets of counterparts, previous epochs first, until `excess` bytes are saved or nothing is left to shrink. */
function shrinkSets(builder: UpdateBuilder, kind: EntityKind, item: EntityItem, atMs: number, excess: number): void {
  let left = excess;
  for (const [counterpart] of KIND[kind].counterparts) {
    const previous = setName(counterpart, atMs, 1);
    const value = item[previous];
    if (left <= 0 || value === undefined) continue;
    removeName(builder, previous);
    left -= attributeSize(previous, value);
  }
  for (const [counterpart, form] of KIND[kind].counterparts) {
    const name = setName(counterpart, atMs);
    const members = membersOf(item[name]);
    const surplus = members.slice(form === 'code' ? KEEP_CODES : KEEP_MEMBERS);
    if (left <= 0 || surplus.length === 0 || form === 32 || form === 64) continue;
    deleteFrom(builder, name, surplus);
    left -= surplus.length * 2;
  }
}

/**
 * The update that brings an entity's item back to size, or undefined where nothing needs it. Made from the item that a
 * touch returned, and sent beside the next trip; when it is refused or lost, the next touch asks for it again.
 */
export function trimUpdate(kind: EntityKind, item: EntityItem, at: Attempt | number): UpdateParams | undefined {
  const firstSeen = item[NAME.firstSeen];
  if (firstSeen === undefined) return undefined;
  const atMs = typeof at === 'number' ? at : at.at_ms;
  let excess = itemSize(item) - TRIM_ABOVE_BYTES;
  // Old names are looked for at the first touch of a fortnight only: the walk is dear and they can wait for weeks.
  if (excess <= 0 && fortnightOf(counterOf(item[NAME.lastSeen])) === fortnightOf(atMs)) return undefined;
  const stale = staleNames(item, atMs);
  if (excess <= 0 && !stale.due) return undefined;
  const builder = startUpdate();
  let condition = `${nameToken(builder, NAME.firstSeen)} = ${valueToken(builder, firstSeen)}`;
  for (const name of stale.names) {
    if (isFull(builder)) break;
    removeName(builder, name);
    excess -= attributeSize(name, item[name] ?? NOTHING);
  }
  if (excess > 0 && KIND[kind].person) {
    const spare = typeof at === 'number' ? undefined : amountCurrency(at);
    const folded = foldCurrencies(builder, item, excess > FAR_ABOVE_BYTES ? 1 : 2, spare);
    excess -= folded.bytes;
    condition += folded.condition;
  }
  if (excess > 0) shrinkSets(builder, kind, item, atMs, excess + SLACK_BYTES);
  return builder.nameCount === 1 ? undefined : finishUpdate(builder, condition);
}
