/** An item or a key as it travels: attribute names to `{ type: value }`. */
export type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const text = (value: unknown): number => Buffer.byteLength(String(value));
/** A byte for every two significant digits, and one more. */
const number = (value: unknown): number => Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + 1;

function valueBytes(value: Readonly<Record<string, unknown>>): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  const sum = (each: (entry: never) => number): number =>
    (content as never[]).reduce((total: number, entry) => total + each(entry), 3);
  switch (type) {
    case 'S':
      return text(content);
    case 'B':
      return Buffer.from(content as string, 'base64').length;
    case 'N':
      return number(content);
    case 'M':
      return 3 + Object.keys(content as WireItem).length + wireBytes(content as WireItem);
    case 'L':
      return sum((entry) => 1 + valueBytes(entry));
    case 'NS':
      return sum(number);
    case 'SS':
      return sum(text);
    default:
      return 1;
  }
}

/** The size of an item by DynamoDB's rules (developer guide, "item sizes and formats"). */
export const wireBytes = (item: WireItem): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** One write unit per started kilobyte. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));
