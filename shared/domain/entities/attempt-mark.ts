import type { Attempt } from './entity-history';
import { hash32, hashText } from './short-hash';

const ATTEMPT_SALT = 0x61747465;
const REQUEST_SALT = 0x72657175;
const REQUEST_HASH_LENGTH = 3;

/** How an entity recognises an attempt that it has counted already. */
export interface AttemptMark {
  readonly hash: number;
  /** With an `Idempotency-Key` the mark is what all its repeats have in common, then the request's own; else both are it. */
  readonly mark: string;
  readonly identity: string;
  readonly request: string;
  readonly isRepeatable: boolean;
}

/** Tells requests of one `Idempotency-Key` apart: three characters of hash, then when the request came. */
const markOfRequest = ({ attempt_id, at_ms }: Attempt): string =>
  hashText(hash32(attempt_id, REQUEST_SALT)).slice(0, REQUEST_HASH_LENGTH) + at_ms.toString(36);

/** When the request came that left this mark. */
export const requestTimeMs = (mark: string): number => Number.parseInt(mark.slice(REQUEST_HASH_LENGTH), 36);

function newMark(attempt: Attempt): AttemptMark {
  const { attempt_id, repeat_key } = attempt;
  const hash = hash32(repeat_key ?? attempt_id, ATTEMPT_SALT);
  const identity = hashText(hash);
  const isRepeatable = repeat_key !== undefined;
  const request = isRepeatable ? markOfRequest(attempt) : identity;
  return { hash, mark: isRepeatable ? identity + request : identity, identity, request, isRepeatable };
}

/** About four entities record the same attempt, one right after another: it is worked out once. */
let latest: { readonly attempt: Attempt; readonly mark: AttemptMark } | undefined;

/** The mark of an attempt. */
export function attemptMark(attempt: Attempt): AttemptMark {
  if (latest?.attempt !== attempt) latest = { attempt, mark: newMark(attempt) };
  return latest.mark;
}

/** The request that an attempt came with: what `counted_by` says where this request counted it. */
export const requestMark = (attempt: Attempt): string => attemptMark(attempt).request;
