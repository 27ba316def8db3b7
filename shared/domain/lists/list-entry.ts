import type { EntityNames, EntityRef } from '../entities/entity-ref';
import type { ListType } from './list-definition';
import { nameValue } from './list-value';

/** A value on a list, as people see it. */
export interface ListEntry {
  readonly value: string;
  readonly expires_at: string | null;
  readonly reason: string | null;
  readonly added_at: string;
  readonly added_by: string;
}

/** A value to put on a list. */
export interface NewEntry {
  readonly value: string;
  /** ISO 8601; it matches until then. @default forever */
  readonly expires_at?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** An entry ready to be stored. */
export interface NamedEntry {
  readonly ref: EntityRef;
  readonly scope?: string | undefined;
  readonly value: string;
  readonly reason: string | null;
  readonly expires_at_ms: number | undefined;
}

/** A rejected entry, by its position in the request. */
export interface RejectedEntry {
  readonly index: number;
  readonly message: string;
}

export const MAX_REASON_CHARACTERS = 200;

/** Date.parse takes 30 February for 2 March. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00))?$/;

function instantMs(text: string): number | undefined {
  const ms = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  const isOfCalendar = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
  return isOfCalendar ? ms : undefined;
}

/** An entry ready to be stored, or why it is rejected. */
export function nameEntry(
  names: EntityNames,
  type: ListType,
  { value, expires_at: expiry, reason }: NewEntry,
  nowMs: number,
): NamedEntry | { readonly fault: string } {
  const found = nameValue(names, type, value);
  if ('fault' in found) return { fault: `value: ${found.fault}` };
  const expiresAtMs = expiry === undefined || expiry === null ? undefined : instantMs(expiry);
  if (typeof expiry === 'string' && expiresAtMs === undefined) {
    return { fault: 'expires_at: must be an ISO 8601 time in UTC such as 2026-11-14T00:00:00Z' };
  }
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return { fault: 'expires_at: must be in the future' };
  if (reason && (reason.length > MAX_REASON_CHARACTERS || !reason.isWellFormed())) {
    return { fault: `reason: must have at most ${MAX_REASON_CHARACTERS} characters` };
  }
  return { ...found, value, reason: reason || null, expires_at_ms: expiresAtMs };
}
