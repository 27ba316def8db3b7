import { randomBytes as cryptoRandomBytes } from 'node:crypto';

/** Cryptographically strong bytes; tests hand in their own source. */
export type RandomBytes = (size: number) => Uint8Array;

export const randomBytes: RandomBytes = (size) => cryptoRandomBytes(size);
