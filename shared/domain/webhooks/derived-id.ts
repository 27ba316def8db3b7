import { createHash } from 'node:crypto';
import { encodeUlid, ULID_RANDOM_BYTES } from '../ulid';

/**
 * An id derived from what it stands for: a change record that is read twice makes the same message and the same
 * deliveries, and the second write finds the first. 80 bits of a hash replace a ULID's randomness.
 */
export function derivedId(prefix: 'msg' | 'dlv', timeMs: number, ...parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return `${prefix}_${encodeUlid(timeMs, digest.subarray(0, ULID_RANDOM_BYTES))}`;
}
