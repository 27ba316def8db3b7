/** A value as DynamoDB's low-level API carries it: numbers are decimal strings; ours have up to 38 digits. */
export type AttributeValue = { readonly N: string } | { readonly S: string } | { readonly SS: readonly string[] };

export type EntityItem = Readonly<Record<string, AttributeValue>>;

/** Of a number only its digits: most values are numbers, and an object more for each is slow to read. */
export type LiveValue = AttributeValue | string;

/** An item that changes in place, for keeping many in memory: an object whose names keep changing is slow to change. */
export type LiveItem = Map<string, LiveValue>;

export const liveValue = (value: AttributeValue): LiveValue => digitsOf(value) ?? value;
export const wireValue = <Value extends AttributeValue | undefined>(value: Value | string): Value | { N: string } =>
  typeof value === 'string' ? { N: value } : value;

export const plainItem = (item: EntityItem | LiveItem): EntityItem =>
  item instanceof Map
    ? Object.fromEntries([...item].map(([name, value]) => [name, wireValue(value)]))
    : (item as EntityItem);

export interface UpdateParams {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Readonly<Record<string, AttributeValue>>;
  readonly ConditionExpression: string;
}

/** A value typed as having every type, most of them absent: can be read as a plain member, without an `in` first. */
interface AnyValue {
  readonly N?: string;
  readonly S?: string;
  readonly SS?: readonly string[];
}

const anyType = (value: AttributeValue | undefined): AnyValue | undefined => value as AnyValue | undefined;

export const digitsOf = (value: AttributeValue | undefined): string | undefined => anyType(value)?.N;

const MINUS = 45;
const ZERO = 48;

/** The digits from `from` to `to` as a number; slicing would allocate a string each time. */
export function numberAt(digits: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + (digits.charCodeAt(at) - ZERO);
  return value;
}

/** A plain counter; a late compensation can push it below zero, which reads as none. */
export function counterOf(value: AttributeValue | undefined): number {
  const digits = digitsOf(value);
  return digits === undefined || digits.charCodeAt(0) === MINUS ? 0 : numberAt(digits, 0, digits.length);
}

export const textOf = (value: AttributeValue | undefined): string | undefined => anyType(value)?.S;

const NO_MEMBERS: readonly string[] = [];

export const membersOf = (value: AttributeValue | undefined): readonly string[] => anyType(value)?.SS ?? NO_MEMBERS;

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
  for (const [name, value] of Object.entries(plainItem(item))) bytes += attributeSize(name, value);
  return bytes;
}
