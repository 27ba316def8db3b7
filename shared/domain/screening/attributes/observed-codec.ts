import type { ObservedAttribute } from './observed-attribute';

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * A number to 8 bits, two and a half digits: enough for a tree, and of what counts somebody's money or steps no more than
 * the order. Infinities and NaN are NaN.
 */
export const roughNumber = (value: number): number => fromRoughBits(roughBits(value));

/** Sign, exponent and 7 bits of the fraction in 16 bits; NaN stays NaN. */
export function roughBits(value: number): number {
  float[0] = value;
  // Half of the dropped precision is added first, so that the number is rounded and not truncated.
  bits[0] = (bits[0] as number) + 0x8000;
  return Number.isFinite(float[0]) ? (bits[0] as number) >>> 16 : ROUGH_NAN;
}

const ROUGH_NAN = 0x7fc0;

/** The number of `roughBits`. */
export function fromRoughBits(rough: number): number {
  bits[0] = rough << 16;
  return float[0] as number;
}

/** Prefix of custom attributes, so that none can be mistaken for a built-in one. */
export const CUSTOM_PREFIX = 'attributes.';

/** Built-in observations, before custom attributes. The order is stored: append only. */
export const BUILT_IN = {
  currency: 'currency',
  payment_method: 'payment_method',
  billing_country: 'billing.country',
  billing_state: 'billing.state',
  billing_city: 'billing.city',
  billing_postal_code: 'billing.postal_code',
  ip_country: 'ip.country',
  ip_network: 'ip.network',
  local_hour: 'local_hour',
} as const;

const BUILT_IN_NAMES: readonly string[] = Object.values(BUILT_IN);
const builtInCodes: ReadonlyMap<string, number> = new Map(BUILT_IN_NAMES.map((name, code) => [name, code]));

/** Limit per screening: some twenty attributes, a fifth of the size of its result. */
export const MAX_OBSERVED_BYTES = 320;
const IS_NUMBER = 0x80;

/*
 * Four bytes that say which form follows: written as a built-in attribute that never was, so that no other form begins
 * with them. Then entries: a byte with the length of the key (0: built in, its code follows) and, in its highest bit,
 * whether it is a number; the key in UTF-8 or the code; the bucket or the number in 2 bytes. A key longer than 127
 * bytes is not observed.
 */
const KEYED_FORM: readonly number[] = [0, 0xff, 2, 0];

/** Bytes stored before the first attribute. */
export const OBSERVED_HEAD_BYTES = KEYED_FORM.length;

/** The bytes one attribute takes; infinite if it cannot be stored. */
export function observedBytes({ name }: ObservedAttribute): number {
  const key = builtInCodes.has(name) ? 1 : keyBytes(name);
  return key > 127 ? Number.POSITIVE_INFINITY : 1 + key + 2;
}

const keyBytes = (name: string): number => Buffer.byteLength(name) - CUSTOM_PREFIX.length;

/** Observed attributes as bytes, for the stored result and for its label. */
export function packObserved(observed: readonly ObservedAttribute[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(MAX_OBSERVED_BYTES);
  bytes.set(KEYED_FORM);
  let at = OBSERVED_HEAD_BYTES;
  for (const { name, bucket, number } of observed) {
    const code = builtInCodes.get(name);
    const kind = Number.isNaN(number) ? 0 : IS_NUMBER;
    const headAt = at++;
    if (code === undefined) {
      const length = bytes.write(name.slice(CUSTOM_PREFIX.length), at);
      bytes[headAt] = length | kind;
      at += length;
    } else {
      bytes[headAt] = kind;
      bytes[at++] = code;
    }
    at = bytes.writeUInt16LE(kind === 0 ? bucket : roughBits(number), at);
  }
  return bytes.subarray(0, at);
}

/**
 * The attributes back; a built-in code that this version does not know is left out. What was stored before values were
 * keyed reads as nothing: its buckets mean other values, and nobody should learn from them any more.
 */
export function unpackObserved(packed: Uint8Array): ObservedAttribute[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (!isKeyed(bytes)) return [];
  const observed: ObservedAttribute[] = [];
  let at = OBSERVED_HEAD_BYTES;
  while (at < bytes.length) {
    const head = bytes[at++] as number;
    const length = head & ~IS_NUMBER;
    const name =
      length === 0 ? BUILT_IN_NAMES[bytes[at] as number] : CUSTOM_PREFIX + bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
    const bucket = bytes.readUInt16LE(at);
    at += 2;
    const number = head & IS_NUMBER ? fromRoughBits(bucket) : Number.NaN;
    if (name !== undefined) observed.push({ name, bucket, number });
  }
  return observed;
}

/** Whether observed attributes were stored under the stage's key. */
export const isKeyed = (packed: Uint8Array): boolean => KEYED_FORM.every((byte, at) => packed[at] === byte);
