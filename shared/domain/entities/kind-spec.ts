import type { Counterpart, EntityKind } from './entity-history';

/** Everything that has distinct counts. */
export const COUNTERPARTS = ['users', 'devices', 'ips', 'countries', 'cards'] as const satisfies readonly Counterpart[];

/** An entity that has not been seen for this long is forgotten. */
export const ENTITY_LIFE_MS = 180 * 86_400_000;

/** Earned this long ago and never taken back: familiar. */
export const FAMILIAR_MS = 7 * 86_400_000;

/** How members of a set of counterparts are written: hashed into this many buckets, or as plain codes. */
export type MemberForm = 32 | 64 | 4096 | 'code';

/** The memory of an entity of this kind; everything else reads as empty. */
export interface KindSpec {
  readonly failedLogins: boolean;
  /** Which users' logins failed in the last minutes, for entities that passwords can be tried from. */
  readonly failingUsers: boolean;
  readonly location: boolean;
  readonly dollarLogs: boolean;
  /** Currencies, hours, account changes, recent devices: only meaningful for a person. */
  readonly person: boolean;
  readonly counterparts: ReadonlyArray<readonly [Counterpart, MemberForm]>;
}

/*
 * 64 buckets take one byte per member and can never exceed 64 bytes, but mistake a new counterpart for a known one in
 * n/64 of the cases: fine where n is large (an IP, a merchant). 4,096 buckets take two bytes and are right in
 * all but n/4096, as "is this device new to the user" requires; trimming keeps them bounded.
 */
export const KIND: Readonly<Record<EntityKind, KindSpec>> = {
  user: {
    failedLogins: true,
    failingUsers: false,
    location: true,
    dollarLogs: true,
    person: true,
    counterparts: [
      ['devices', 4096],
      ['ips', 4096],
      ['countries', 'code'],
      ['cards', 4096],
    ],
  },
  device: {
    failedLogins: true,
    failingUsers: true,
    location: true,
    dollarLogs: false,
    person: false,
    counterparts: [
      ['users', 4096],
      ['ips', 64],
      ['cards', 4096],
      ['countries', 'code'],
    ],
  },
  ip: {
    failedLogins: true,
    failingUsers: true,
    location: false,
    dollarLogs: false,
    person: false,
    counterparts: [
      ['users', 64],
      ['devices', 64],
      ['cards', 64],
    ],
  },
  attribute: {
    failedLogins: false,
    failingUsers: false,
    location: true,
    dollarLogs: true,
    person: false,
    counterparts: [
      ['users', 4096],
      ['devices', 64],
      ['ips', 64],
      ['countries', 'code'],
    ],
  },
  // Counts only what is unusual (the domain's `counts-on-networks.ts`): its size alone says nothing about a carrier.
  network: {
    failedLogins: true,
    failingUsers: true,
    location: false,
    dollarLogs: false,
    person: false,
    counterparts: [
      ['users', 64],
      ['ips', 64],
    ],
  },
  // Shops for many people from many places: only their number is kept.
  agent: {
    failedLogins: true,
    failingUsers: false,
    location: false,
    dollarLogs: false,
    person: false,
    counterparts: [['users', 64]],
  },
};

/*
 * A window is counted in buckets of a fraction of its length:
 *
 *        ┌ oldest, weighted by its overlap      ┌ the attempt
 *   ──┬──┴──┬─────┬─────┬─────┬─────┬─────┬─────▼──
 *     │ ▒▒▒▒│█████│█████│█████│█████│███  │
 *   ──┴─────┴─────┴─────┴─────┴─────┴─────┴────────
 *       └───────────── window ────────────┘
 *
 * The oldest bucket counts by the share of it that is still inside the window, so the estimate has no bias.
 */

/** A window in buckets. */
export interface BucketedWindow {
  readonly bucketMs: number;
  /** Buckets that the window can overlap: all whole ones, the current one and the oldest. */
  readonly live: number;
}

/** The number of the bucket that a time falls into. */
export const bucketIndex = (of: BucketedWindow, atMs: number): number => Math.floor(atMs / of.bucketMs);

/**
 * The share of the oldest bucket's attempts that are inside the window ending at a time. An entity first seen in the
 * middle of that bucket has all of them in its later part (without this, windows of young entities read 1.6% low).
 */
export function oldestShare(of: BucketedWindow, atMs: number, firstSeenMs: number, live = of.live): number {
  const endMs = (bucketIndex(of, atMs) - live + 2) * of.bucketMs;
  const fullStartMs = endMs - of.bucketMs;
  const startMs = firstSeenMs > fullStartMs && firstSeenMs < endMs ? firstSeenMs : fullStartMs;
  const windowStartMs = atMs - (live - 1) * of.bucketMs;
  return windowStartMs <= startMs ? 1 : (endMs - windowStartMs) / (endMs - startMs);
}
