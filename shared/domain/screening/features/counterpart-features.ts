import type { Counterpart, EntityHistory } from '../../entities/entity-history';
import { earnedBy } from './familiarity-features';
import { type EntityFeature, flag, MISSING } from './feature-table';
import { counted, known } from './feature-words';

/**
 * How many different counterparts an entity has, including this attempt's. An attempt without the
 * counterpart (`seen` undefined) does not add one.
 */
export function distinctNow({ distinct, seen, tried }: EntityHistory, counterpart: Counterpart): number {
  const before = distinct[counterpart];
  const isNew = (tried[counterpart] ?? seen[counterpart]) === false ? 1 : 0;
  return before === undefined && seen[counterpart] === undefined ? MISSING : (before ?? 0) + isNew;
}

const SINGULAR: Readonly<Record<Counterpart, string>> = {
  users: 'user',
  devices: 'device',
  ips: 'IP address',
  countries: 'country',
  cards: 'card',
};
const PLURAL: Readonly<Partial<Record<Counterpart, string>>> = { ips: 'IP addresses', countries: 'countries' };

const distinct = (counterpart: Counterpart, explains?: string): EntityFeature => ({
  description: `different ${counterpart} in the last 30 to 60 days, this one included`,
  words: counted(SINGULAR[counterpart], '', PLURAL[counterpart]),
  explains,
  read: (history) => distinctNow(history, counterpart),
});

const seen = (counterpart: Counterpart, explains?: string): EntityFeature => ({
  description: `1 when this ${SINGULAR[counterpart]} was seen with it before`,
  // A country is not sent, but looked up by the address.
  words: known(SINGULAR[counterpart], counterpart === 'countries' ? 'unknown country' : undefined),
  explains,
  read: (history) => flag(history.seen[counterpart]),
});

/** What a user was seen with. */
export const USER_COUNTERPARTS = {
  devices: distinct('devices', 'device_switching'),
  ips: distinct('ips'),
  countries: distinct('countries', 'ip_mismatch'),
  cards: distinct('cards', 'card_testing_pattern'),
  device_seen: seen('devices', 'new_device'),
  ip_seen: seen('ips'),
  country_seen: seen('countries', 'ip_mismatch'),
  card_seen: seen('cards', 'card_testing_pattern'),
} as const satisfies Record<string, EntityFeature>;

/** What a device was seen with. */
export const DEVICE_COUNTERPARTS = {
  users: distinct('users', 'shared_device'),
  ips: distinct('ips', 'shared_device'),
  cards: distinct('cards', 'card_testing_pattern'),
  user_seen: earnedBy('devices', 'shared_device'),
} as const satisfies Record<string, EntityFeature>;

/** What an IP address was seen with. */
export const IP_COUNTERPARTS = {
  users: distinct('users', 'shared_ip'),
  devices: distinct('devices', 'shared_ip'),
  cards: distinct('cards', 'card_testing_pattern'),
  user_seen: earnedBy('ips', 'shared_ip'),
} as const satisfies Record<string, EntityFeature>;
