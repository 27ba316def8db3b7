import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from './account-items';

/** In an order that does not depend on how a value was written: members and sets have none. */
function canonical(value: AttributeValue): unknown {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  switch (type) {
    case 'B':
      return { B: Buffer.from(content as Uint8Array).toString('base64') };
    case 'BS':
      return { BS: (content as Uint8Array[]).map((bytes) => Buffer.from(bytes).toString('base64')).sort() };
    case 'SS':
    case 'NS':
      return { [type]: [...(content as string[])].sort() };
    case 'L':
      return { L: (content as AttributeValue[]).map(canonical) };
    case 'M':
      return { M: members(content as StoredItem) };
    default:
      return { [type]: content };
  }
}

const members = (item: StoredItem): object =>
  Object.fromEntries(
    Object.entries(item)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, canonical(value)]),
  );

/** The same text for equal items. */
export const canonicalItem = (item: StoredItem): string => JSON.stringify(members(item));
