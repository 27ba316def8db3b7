import { ulid } from 'ulid';

/** Every kind of thing that has an id, by the prefix that names it. */
export type IdPrefix = 'txn' | 'evt' | 'dec' | 'case' | 'wh' | 'msg' | 'dlv' | 'acc' | 'key';

/** A new id: prefix and a ULID that sorts by the given time. */
export type NewId = (prefix: IdPrefix, nowMs: number) => string;

export const newId: NewId = (prefix, nowMs) => `${prefix}_${ulid(nowMs)}`;
