import type { AttributeValue, EntityItem } from './attribute-value';
import { currencyOf } from './entity-attributes';

/*
 * DynamoDB's rules (developer guide, "item sizes and formats"): names and strings by their UTF-8 bytes; a number one
 * byte for every two significant digits and one more, zeros at either end do not count. The guide gives no figure for
 * sets; the overhead of a list is assumed, so that we rather over- than underestimate.
 */
const SET_OVERHEAD_BYTES = 3;

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function numberBytes(digits: string): number {
  const negative = digits.charCodeAt(0) === 45 ? 1 : 0;
  let end = digits.length;
  while (end > negative && digits.charCodeAt(end - 1) === 48) end--;
  return Math.ceil((end - negative) / 2) + 1 + negative;
}

function sum(members: readonly string[], bytes: (member: string) => number): number {
  let total = SET_OVERHEAD_BYTES;
  for (const member of members) total += bytes(member);
  return total;
}

/** Bytes of a value of ours (whole numbers, strings and sets of them). */
export function valueSize(value: AttributeValue): number {
  if ('N' in value) return numberBytes(value.N);
  if ('S' in value) return utf8Bytes(value.S);
  if ('SS' in value) return sum(value.SS, utf8Bytes);
  return sum(value.NS, numberBytes);
}

export const attributeSize = (name: string, value: AttributeValue): number => utf8Bytes(name) + valueSize(value);

/** What one walk over an item finds. */
export interface Survey {
  readonly bytes: number;
  readonly currencies: readonly string[];
}

/** Reading and trimming both need it, and the walk is the dearest part of both: about 7 µs for 65 attributes. */
const surveys = new WeakMap<EntityItem, Survey>();

export function surveyItem(item: EntityItem): Survey {
  const known = surveys.get(item);
  if (known !== undefined) return known;
  let bytes = 0;
  const currencies: string[] = [];
  for (const name in item) {
    const value = item[name];
    if (value === undefined) continue;
    bytes += attributeSize(name, value);
    const currency = currencyOf(name);
    if (currency !== undefined) currencies.push(currency);
  }
  const survey = { bytes, currencies };
  surveys.set(item, survey);
  return survey;
}

/** Bytes of an item as DynamoDB counts them for write units; its key attributes are part of it. */
export const itemSize = (item: EntityItem): number => surveyItem(item).bytes;
