import { ulid } from 'ulid';

/** Every kind of thing that has an id, by the prefix that names it. */
export type IdPrefix = 'txn' | 'evt' | 'dec' | 'case' | 'wh' | 'msg' | 'dlv' | 'acc' | 'key';

/** A new id: prefix and a ULID that sorts by the given time. */
export type NewId = (prefix: IdPrefix, nowMs: number) => string;

/** The bare ULID, for things that share one between several ids. */
export const newUlid = (nowMs: number): string => ulid(nowMs);

export const newId: NewId = (prefix, nowMs) => `${prefix}_${ulid(nowMs)}`;
