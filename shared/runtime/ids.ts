import { randomBytes as cryptoRandomBytes, randomUUID } from 'node:crypto';
import { encodeUlid, ULID_RANDOM_BYTES } from '../domain/ulid';

/** Cryptographically strong bytes; tests pass in their own source. */
export type RandomBytes = (size: number) => Uint8Array;

export const randomBytes: RandomBytes = (size) => cryptoRandomBytes(size);

/** Uniform in [0, 1), for jitter; nothing secret may depend on it. */
export const randomFraction = (): number => Math.random();

/** Sent with a request, so that AWS executes it once even if it arrives twice. */
export const newToken = (): string => randomUUID();

export type IdPrefix = 'txn' | 'evt' | 'dec' | 'case' | 'wh' | 'msg' | 'dlv' | 'acc' | 'key' | 'in';

/** A new ID: the prefix and a ULID that sorts by the given time. */
export type NewId = (prefix: IdPrefix, nowMs: number) => string;

// Randomness is fetched in bulk: one call to the operating system serves 256 IDs.
const POOL_BYTES = 256 * ULID_RANDOM_BYTES;
let pool = new Uint8Array();
let used = 0;

/** The bare ULID, for things that share one between several IDs. */
export function newUlid(nowMs: number): string {
  if (used >= pool.length) {
    pool = Uint8Array.from(randomBytes(POOL_BYTES));
    used = 0;
  }
  const random = pool.subarray(used, used + ULID_RANDOM_BYTES);
  used += ULID_RANDOM_BYTES;
  return encodeUlid(nowMs, random);
}

export const newId: NewId = (prefix, nowMs) => `${prefix}_${newUlid(nowMs)}`;
