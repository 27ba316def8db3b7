import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB sends it; bytes in base64, as in JSON. */
export type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Item = Record<string, AttributeValue>;
type Value = Readonly<Record<string, unknown>>;

/** Rebuilds a value and its parts: `bytes` converts binaries, `set` may put the members of a set in order. */
function rebuild(value: Value, bytes: (content: unknown) => unknown, set = (members: unknown[]) => members): Value {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  const part = (each: Value): Value => rebuild(each, bytes, set);
  switch (type) {
    case 'B':
      return { B: bytes(content) };
    case 'BS':
      return { BS: set((content as unknown[]).map(bytes)) };
    case 'SS':
    case 'NS':
      return { [type]: set([...(content as unknown[])]) };
    case 'L':
      return { L: (content as Value[]).map(part) };
    case 'M':
      return { M: rebuildItem(content as WireItem, part) };
    default:
      return value;
  }
}

const rebuildItem = (item: Readonly<Record<string, Value>>, part: (value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(item)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, part(value)]),
  );

const toBase64 = (content: unknown): string => Buffer.from(content as Uint8Array).toString('base64');
const fromBase64 = (content: unknown): Uint8Array => Buffer.from(content as string, 'base64');

export const toWire = (item: Item): WireItem =>
  rebuildItem(item as unknown as WireItem, (value) => rebuild(value, toBase64));
export const fromWire = (item: WireItem): Item =>
  rebuildItem(item, (value) => rebuild(value, fromBase64)) as unknown as Item;

/** The same text for equal items: members and sets have no order. */
export const canonicalItem = (item: WireItem): string =>
  JSON.stringify(rebuildItem(item, (value) => rebuild(value, String, (members) => members.sort())));
