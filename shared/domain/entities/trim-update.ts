import { amountCurrency } from './attempt-delta';
import type { AttributeValue, EntityItem, UpdateParams } from './attribute-value';
import { membersOf } from './attribute-value';
import { setAge, setName } from './distinct-sets';
import { currencyOf, KIND, logsName, NAME, totalName } from './entity-attributes';
import type { Attempt, EntityKind } from './entity-history';
import { attributeSize, itemSize } from './item-size';
import { logCount } from './log-amounts';
import { STALE_TRIM_MS, staleForMs } from './time-buckets';
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

/** Above this an item is trimmed. One touch adds at most 100 bytes, so 1,000 holds with a touch or two in flight. */
export const TRIM_ABOVE_BYTES = 850;
const KEEP_CURRENCIES = 2;
/** What is left of a set whose members are not bounded by their form. */
const KEEP_MEMBERS = 16;
const KEEP_CODES = 8;

interface Stale {
  readonly names: readonly string[];
  /** Some are so old that their name could come round again. */
  readonly due: boolean;
}

function staleNames(item: EntityItem, atMs: number): Stale {
  const names: string[] = [];
  let due = false;
  for (const name in item) {
    const staleMs = staleForMs(name, atMs) ?? 0;
    const age = setAge(name, atMs) ?? 0;
    // 35 epochs "ago" is the next one: a clock ahead of ours.
    if (staleMs === 0 && (age < 2 || age > 30)) continue;
    names.push(name);
    due ||= staleMs > STALE_TRIM_MS || age > 3;
  }
  return { names, due };
}

/** Folds the rarest currencies into one; refused by its condition when one of them moved meanwhile. */
function foldCurrencies(
  builder: UpdateBuilder,
  item: EntityItem,
  spare: string | undefined,
): readonly [number, string] {
  const currencies = Object.entries(item)
    .flatMap(([name, value]) => {
      const currency = currencyOf(name);
      return currency === undefined || currency === spare ? [] : [{ currency, value, count: logCount(value) }];
    })
    .sort((a, b) => b.count - a.count);
  let saved = 0;
  let condition = '';
  for (const { currency, value } of currencies.slice(KEEP_CURRENCIES).slice(0, 8)) {
    const logs = logsName(currency);
    const total = totalName(currency);
    removeName(builder, total);
    const token = nameToken(builder, logs);
    builder.remove += `, ${token}`;
    condition += ` AND ${token} = ${valueToken(builder, value)}`;
    saved += attributeSize(logs, value) + attributeSize(total, item[total] ?? { N: '0' });
  }
  if (condition === '') return [0, ''];
  const folded = currencies.slice(KEEP_CURRENCIES).slice(0, 8);
  addTo(builder, NAME.otherCurrencies, { N: folded.reduce((sum, { value }) => sum + digits(value), 0n).toString() });
  return [saved, condition];
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
  const stale = staleNames(item, atMs);
  let excess = itemSize(item) - TRIM_ABOVE_BYTES;
  if (excess <= 0 && !stale.due) return undefined;
  const builder = startUpdate();
  const born = `${nameToken(builder, NAME.firstSeen)} = ${valueToken(builder, firstSeen)}`;
  let condition = '';
  if (excess > 0 && KIND[kind].person) {
    const [saved, unmoved] = foldCurrencies(builder, item, typeof at === 'number' ? undefined : amountCurrency(at));
    excess -= saved;
    condition = unmoved;
  }
  for (const name of stale.names) {
    if (isFull(builder)) break;
    removeName(builder, name);
    excess -= attributeSize(name, item[name] ?? { N: '0' });
  }
  if (excess > 0) shrinkSets(builder, kind, item, atMs, excess);
  return builder.nameCount === 1 ? undefined : finishUpdate(builder, born + condition);
}
