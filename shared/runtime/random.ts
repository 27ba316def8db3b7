import { randomBytes as cryptoRandomBytes } from 'node:crypto';

/** Cryptographically strong bytes; tests pass in their own source. */
export type RandomBytes = (size: number) => Uint8Array;

export const randomBytes: RandomBytes = (size) => cryptoRandomBytes(size);

/** Uniform in [0, 1), for jitter; nothing secret may depend on it. */
export const randomFraction = (): number => Math.random();
