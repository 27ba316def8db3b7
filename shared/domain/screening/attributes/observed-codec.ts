import type { ObservedAttribute } from './observed-attribute';
import { fromRoughBits, roughBits } from './rough-number';

/** Prefix of custom attributes, so that none can be mistaken for a built-in one. */
export const CUSTOM_PREFIX = 'attributes.';

/** What is observed besides custom attributes. The order is stored: append only. */
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

/** What one screening may store: some twenty attributes, a fifth of the size of its result. */
export const MAX_OBSERVED_BYTES = 320;
const HAS_NUMBER = 0x80;

/*
 * An entry: a byte with the length of the key (0: built in, its code follows) and, in its highest bit, whether
 * there is a number; the key in UTF-8 or the code; the bucket in 2 bytes; the number in 3. A key longer than 127
 * bytes is not observed.
 */

/** The bytes one attribute takes; infinite if it cannot be stored. */
export function observedBytes({ name, number }: ObservedAttribute): number {
  const key = builtInCodes.has(name) ? 1 : keyBytes(name);
  return key > 127 ? Number.POSITIVE_INFINITY : 1 + key + 2 + (Number.isNaN(number) ? 0 : 3);
}

const keyBytes = (name: string): number => Buffer.byteLength(name) - CUSTOM_PREFIX.length;

/** Observed attributes as bytes, for the stored result and for its label. */
export function packObserved(observed: readonly ObservedAttribute[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(MAX_OBSERVED_BYTES);
  let at = 0;
  for (const { name, bucket, number } of observed) {
    const code = builtInCodes.get(name);
    const hasNumber = !Number.isNaN(number);
    const headAt = at++;
    if (code === undefined) {
      const length = bytes.write(name.slice(CUSTOM_PREFIX.length), at);
      bytes[headAt] = length | (hasNumber ? HAS_NUMBER : 0);
      at += length;
    } else {
      bytes[headAt] = hasNumber ? HAS_NUMBER : 0;
      bytes[at++] = code;
    }
    at = bytes.writeUInt16LE(bucket, at);
    if (hasNumber) at = bytes.writeUIntLE(roughBits(number), at, 3);
  }
  return bytes.subarray(0, at);
}

/** The attributes back; a built-in code that this version does not know is left out. */
export function unpackObserved(packed: Uint8Array): ObservedAttribute[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const observed: ObservedAttribute[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = bytes[at++] as number;
    const length = head & ~HAS_NUMBER;
    const name =
      length === 0 ? BUILT_IN_NAMES[bytes[at] as number] : CUSTOM_PREFIX + bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
    const bucket = bytes.readUInt16LE(at);
    at += 2;
    const hasNumber = (head & HAS_NUMBER) !== 0;
    const number = hasNumber ? fromRoughBits(bytes.readUIntLE(at, 3)) : Number.NaN;
    if (hasNumber) at += 3;
    if (name !== undefined) observed.push({ name, bucket, number });
  }
  return observed;
}
