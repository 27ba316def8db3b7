/** A value as DynamoDB's low-level API carries it: numbers are decimal strings; ours have up to 38 digits. */
export type AttributeValue = { readonly N: string } | { readonly S: string } | { readonly SS: readonly string[] };

/** An entity's item as it arrives in a response. */
export type EntityItem = Readonly<Record<string, AttributeValue>>;

/** An item that changes in place, for keeping many in memory: an object whose names keep changing is slow to change. */
export type LiveItem = Map<string, AttributeValue>;

export const plainItem = (item: EntityItem | LiveItem): EntityItem =>
  item instanceof Map ? Object.fromEntries(item) : (item as EntityItem);

/** The part of an `UpdateItem` besides table and key. */
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

/** The digits of a number attribute, or undefined if there is none. */
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

/** The members of a string set; empty if there is no set. */
export const membersOf = (value: AttributeValue | undefined): readonly string[] => anyType(value)?.SS ?? NO_MEMBERS;
