import type { Counterpart, EntityKind } from './entity-history';

/** Everything that distinct counts are kept of. */
export const COUNTERPARTS = ['users', 'devices', 'ips', 'countries', 'cards'] as const satisfies readonly Counterpart[];

/** An entity that has not been seen for this long is forgotten. */
export const ENTITY_LIFE_MS = 180 * 86_400_000;

/** How members of a set of counterparts are written: hashed into this many buckets, or as plain codes. */
export type MemberForm = 32 | 64 | 4096 | 'code';

/** What an entity of this kind remembers; everything else reads as empty. */
export interface KindSpec {
  readonly failedLogins: boolean;
  /** Which users' logins failed in the last minutes: something that passwords can be tried from. */
  readonly failingUsers: boolean;
  readonly location: boolean;
  readonly dollarLogs: boolean;
  /** Currencies, hours, account changes, recent devices: what only makes sense for a person. */
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
      ['ips', 32],
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
  // Shops for many people from many places: how many is all that is kept.
  agent: {
    failedLogins: true,
    failingUsers: false,
    location: false,
    dollarLogs: false,
    person: false,
    counterparts: [['users', 64]],
  },
};
