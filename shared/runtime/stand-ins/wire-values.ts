export type WireValue = Readonly<Record<string, unknown>>;
export type WireItem = Record<string, WireValue>;
type Document = Record<string, unknown>;

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

function wireNumber(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is not a number for DynamoDB`);
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new Error(`${value} is too large to be exact: use a bigint`);
  }
  return String(value);
}

function wireSet(values: ReadonlySet<unknown>): WireValue {
  const [first] = values;
  const all = [...values];
  if (typeof first === 'string') return { SS: all };
  if (first instanceof Uint8Array) return { BS: (all as Uint8Array[]).map(base64) };
  if (typeof first === 'number' || typeof first === 'bigint') return { NS: (all as number[]).map(wireNumber) };
  throw new Error('a set for DynamoDB has strings, numbers or bytes, and at least one');
}

/** A value in DynamoDB's JSON; undefined for undefined, which is left out wherever it stands. */
export function toWire(value: unknown): WireValue | undefined {
  if (value === undefined) return undefined;
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' || typeof value === 'bigint') return { N: wireNumber(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Uint8Array) return { B: base64(value) };
  if (Array.isArray(value)) return { L: value.map(toWire).filter((each) => each !== undefined) };
  if (value instanceof Set) return wireSet(value);
  if (typeof value === 'object') return { M: toWireItem(value as Document) };
  throw new Error(`DynamoDB has no type for a ${typeof value}`);
}

export function toWireItem(document: Document): WireItem {
  const item: WireItem = {};
  for (const name in document) {
    const value = toWire(document[name]);
    if (value !== undefined) item[name] = value;
  }
  return item;
}

type NumberReader = (digits: string) => unknown;

function exactOrBig(digits: string): number | bigint {
  const value = Number(digits);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value)) return value;
  return BigInt(digits);
}

export function fromWire(value: WireValue, readNumber: NumberReader = exactOrBig): unknown {
  for (const type in value) {
    const found = value[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return found;
      case 'N':
        return readNumber(found as string);
      case 'NULL':
        return null;
      case 'M':
        return fromWireItem(found as WireItem, readNumber);
      case 'L':
        return (found as WireValue[]).map((each) => fromWire(each, readNumber));
      case 'B':
        return bytesOf(found);
      case 'SS':
        return new Set(found as string[]);
      case 'NS':
        return new Set((found as string[]).map(readNumber));
      case 'BS':
        return new Set((found as unknown[]).map(bytesOf));
      default:
        throw new Error(`DynamoDB sent a value of the unknown type ${type}`);
    }
  }
  throw new Error('DynamoDB sent a value without a type');
}

/** As a plain array of bytes: a Buffer may share its memory with others. */
const bytesOf = (text: unknown): Uint8Array =>
  text instanceof Uint8Array ? text : new Uint8Array(Buffer.from(text as string, 'base64'));

export function fromWireItem(item: WireItem, readNumber?: NumberReader): Document {
  const document: Document = {};
  for (const name in item) document[name] = fromWire(item[name] as WireValue, readNumber);
  return document;
}
