import { type AttributeValue, digitsOf, type EntityItem, type LiveItem, membersOf, textOf } from './attribute-value';

/*
 * DynamoDB's rules (developer guide, "item sizes and formats"): names and strings by their UTF-8 bytes; a number one
 * byte for every two significant digits plus one, zeros at either end do not count. The guide gives no number for
 * sets; we assume the overhead of a list, to overestimate rather than underestimate.
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
  return ((end - negative + 1) >> 1) + 1 + negative;
}

/** Members of our sets are hashes, digits and country codes: one byte per character. */
function membersBytes(members: readonly string[]): number {
  let total = SET_OVERHEAD_BYTES;
  for (let at = 0; at < members.length; at++) total += (members[at] as string).length;
  return total;
}

/** Bytes of one of our values (whole numbers, strings and sets of them). */
export function valueSize(value: AttributeValue): number {
  const digits = digitsOf(value);
  if (digits !== undefined) return numberBytes(digits);
  const text = textOf(value);
  if (text !== undefined) return utf8Bytes(text);
  return membersBytes(membersOf(value));
}

/** Our names have one byte per character. */
export const attributeSize = (name: string, value: AttributeValue): number => name.length + valueSize(value);

/** Bytes of an item as DynamoDB counts them for write units, including its key attributes. */
export function itemSize(item: EntityItem | LiveItem): number {
  let bytes = 0;
  for (const [name, value] of item instanceof Map ? item : Object.entries(item)) {
    bytes += attributeSize(name, value);
  }
  return bytes;
}
