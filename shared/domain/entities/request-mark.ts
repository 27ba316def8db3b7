import type { Attempt } from './entity-history';
import { hash32, hashText } from './short-hash';

const REQUEST_SALT = 0x72657175;
const HASH_LENGTH = 3;

/** Distinguishes requests with one `Idempotency-Key`: three characters of hash, then the time of the request. */
export const requestMark = ({ attempt_id, at_ms }: Attempt): string =>
  hashText(hash32(attempt_id, REQUEST_SALT)).slice(0, HASH_LENGTH) + at_ms.toString(36);

/** The time of the request that left this mark. */
export const requestTimeMs = (mark: string): number => Number.parseInt(mark.slice(HASH_LENGTH), 36);
