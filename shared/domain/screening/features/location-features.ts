import {
  countsOnPattern,
  failingUsersNow,
  isFailedLogin,
  SPRAY_MEMORY_MS,
  SPRAY_USERS,
} from '../../entities/attempt-counts';
import type { EntityHistory } from '../../entities/entity-history';
import type { IpFacts } from '../../ip/ip-table';
import { type Sighting, travelEvidence, travelSpeedKmh } from '../../ip/travel';
import type { ScreeningFacts } from '../screening-facts';
import { count } from '../sentence';
import { distinctNow } from './counterpart-features';
import { ENTITY_FEATURES, usualPerDay } from './entity-features';
import {
  type AttemptContext,
  type AttemptFeature,
  ago,
  counted,
  type EntityFeature,
  either,
  flag,
  MISSING,
} from './feature-table';

const EVIDENCE = { none: 0, weak: 1, strong: 2 } as const;

function journey({ attempt, ip, user }: ScreeningFacts): readonly [Sighting, Sighting] | undefined {
  const last = user?.last_place;
  if (last === undefined || ip?.country === undefined) return undefined;
  const from = { country: last.country, network: last.network, at: last.at_ms };
  return [from, { country: ip.country, network: ip.network, at: attempt.at_ms }];
}

function speed(facts: ScreeningFacts): number {
  const ends = journey(facts);
  if (ends === undefined) return MISSING;
  // Most people stay in one country: their speed needs no trigonometry.
  return ends[0].country === ends[1].country ? 0 : (travelSpeedKmh(...ends) ?? MISSING);
}

function evidence(facts: ScreeningFacts): number {
  const ends = journey(facts);
  if (ends === undefined) return MISSING;
  return ends[0].country === ends[1].country ? EVIDENCE.none : EVIDENCE[travelEvidence(...ends)];
}

export const LOCATION_FEATURES = {
  ip_country_differs: {
    description: '1 when the country of the IP address is not that of the billing address',
    words: either('country', 'IP and billing countries differ', 'IP and billing countries match'),
    explains: 'ip_mismatch',
    read: ({ facts: { ip, billing_country } }) =>
      ip?.country === undefined || billing_country === undefined ? MISSING : flag(ip.country !== billing_country),
  },
  ip_hosting: {
    description: '1 when the IP address belongs to a data centre',
    words: either('network', 'data-centre IP', 'not a data-centre IP'),
    explains: 'anonymous_ip',
    read: ({ facts: { ip } }) => flag(ip && ip.network === 'hosting'),
  },
  ip_mobile: {
    description: '1 when the IP address belongs to a mobile network, or to a relay: strangers share both',
    words: either('network', 'mobile network or relay', 'not a mobile network'),
    explains: 'anonymous_ip',
    read: ({ facts: { ip } }) => flag(ip && (ip.network === 'mobile' || ip.network === 'relay')),
  },
  travel_kmh: {
    description: "lowest speed that explains this location and the user's last one, in km/h",
    words: [
      'last location',
      (value) => (value < 1 ? 'same location as before' : `travel at ${Math.round(value)} km/h`),
    ],
    explains: 'impossible_travel',
    read: ({ facts }) => speed(facts),
  },
  travel_evidence: {
    description: '2 when nobody can have made that journey, 1 when only roaming explains it, else 0',
    words: [
      'last location',
      (value) => (value >= 2 ? 'impossible travel' : value >= 1 ? 'unlikely travel' : 'plausible location'),
    ],
    explains: 'impossible_travel',
    read: ({ facts }) => evidence(facts),
  },
  has_billing_address: {
    description: '1 when a billing address was sent',
    words: either('billing address', 'billing address given', 'no billing address'),
    read: ({ facts, one }) => (one === 1 ? flag(facts.has_billing_address) : MISSING),
  },
} as const satisfies Record<string, AttemptFeature>;

const ipIs = (words: string, is: (ip: IpFacts) => boolean): AttemptFeature => ({
  description: `1 when the IP address belongs to ${words}`,
  words: either('network', `IP of ${words}`, `not ${words}`),
  explains: 'anonymous_ip',
  read: ({ facts: { ip } }) => flag(ip && is(ip)),
});

/** Features of offline knowledge about the addresses and numbers that were sent. */
export const INTELLIGENCE_FEATURES = {
  ip_tor: ipIs('the Tor network', ({ tor }) => tor === true),
  ip_vpn: ipIs('a VPN service', ({ vpn }) => vpn === true),
  ip_relay: ipIs('a relay such as iCloud Private Relay', ({ network }) => network === 'relay'),
  email_disposable: {
    description: '1 when the email address is a disposable one',
    words: either('email address', 'disposable email address', 'not a disposable email address'),
    explains: 'disposable_email',
    read: ({ facts: { email } }) => flag(email?.disposable),
  },
  email_free: {
    description: '1 when the email address is at a provider that gives everybody one',
    words: either('email address', 'free email address', 'not a free email address'),
    explains: 'disposable_email',
    read: ({ facts: { email } }) => flag(email?.free),
  },
  phone_country_differs: {
    description:
      '1 when the phone number is of another country than the billing address, or the IP address without one',
    words: either('phone number', 'phone number of another country', 'phone number of the same country'),
    explains: 'ip_mismatch',
    read: ({ facts: { phone_country, billing_country, ip } }) => {
      const home = billing_country ?? ip?.country;
      return phone_country === undefined || home === undefined ? MISSING : flag(phone_country !== home);
    },
  },
} as const satisfies Record<string, AttemptFeature>;

const { tx_10m, burst_10m, age_days, failed_logins_1h } = ENTITY_FEATURES;

/** Fewer attempts in ten minutes are not a crowd. Most networks are quiet, and a missing value takes no bytes. */
const QUIET_BELOW = 5;
const YOUNG_DAYS = 2;

const unlessQuiet =
  (read: EntityFeature['read']): EntityFeature['read'] =>
  (history, context) =>
    tx_10m.read(history, context) < QUIET_BELOW ? MISSING : read(history, context);

/**
 * Networks count only unusual attempts (the domain's `counts-on-networks.ts`), and so do these features. An
 * autonomous system is so large that only a burst says something, and only once it has been known for some time.
 */
export const ASN_FEATURES = {
  tx_10m: {
    description: 'transactions of users new to their IP address in 10 minutes, this one included (missing: below 5)',
    words: tx_10m.words,
    explains: 'velocity_spike',
    read: unlessQuiet(tx_10m.read),
  },
  burst_10m: {
    description:
      "how many usual days' worth of transactions of users new to their IP address fell into 10 minutes (missing: below 5)",
    words: burst_10m.words,
    explains: 'velocity_spike',
    read: unlessQuiet(burst_10m.read),
  },
  age_days: {
    description: 'days since it was first seen (missing: below 5 transactions in 10 minutes)',
    words: age_days.words,
    read: unlessQuiet(age_days.read),
  },
} as const satisfies Record<string, EntityFeature>;

/** Features of the /24 or /48. */
export const NETWORK_FEATURES = {
  tx_10m: ASN_FEATURES.tx_10m,
  burst_10m: ASN_FEATURES.burst_10m,
  young_users: {
    description:
      'different users new to their IP address, if it was first seen less than 2 days ago (missing: earlier)',
    words: ['users', (value, entity) => `${count(value, 'user')} (${entity} first seen within 2 days)`],
    explains: 'shared_ip',
    read: (history, context) =>
      age_days.read(history, context) > YOUNG_DAYS ? MISSING : distinctNow(history, 'users'),
  },
  failed_logins_1h: {
    ...failed_logins_1h,
    description: 'failed logins of users new to their IP address in an hour, this one included',
  },
} as const satisfies Record<string, EntityFeature>;

/** Features of everything that passwords can be tried from: device, IP address and network. */
export const SPRAY_FEATURES = {
  failing_users_5m: {
    description: 'different users whose logins failed in 5 minutes, this one included',
    words: counted('user', ' with a failed login in 5 minutes'),
    explains: 'password_spray',
    read: ({ failing_users }, { attempt }) =>
      failing_users === undefined ? MISSING : failingUsersNow(failing_users, isFailedLogin(attempt)),
  },
  since_spray_s: {
    description: `seconds since a password spray (missing: none within an hour; 0: at least ${SPRAY_USERS} users now)`,
    words: ['password spray', (value, entity) => `password spray ${ago(value)} (${entity})`],
    explains: 'success_after_spray',
    read: ({ failing_users }, { attempt }) => {
      if (failing_users === undefined) return MISSING;
      if (failingUsersNow(failing_users, isFailedLogin(attempt)) >= SPRAY_USERS) return 0;
      const agoMs = attempt.at_ms - (failing_users.last_spray_ms ?? MISSING);
      return agoMs <= SPRAY_MEMORY_MS ? Math.max(0, agoMs) / 1000 : MISSING;
    },
  },
} as const satisfies Record<string, EntityFeature>;

/** Fewer are a coincidence, and a missing value takes no bytes. */
const FEW_BUYERS = 3;

const thisOne = ({ attempt, facts: { user } }: AttemptContext): 0 | 1 => (countsOnPattern(attempt, user) ? 1 : 0);

const buyers1h = ({ transactions: { windows } }: EntityHistory, context: AttemptContext): number =>
  windows['1h'].count + thisOne(context);

/**
 * Counts of the pattern of an email address (`counts-on-patterns.ts`): accounts that bought within an hour of their signup,
 * each once.
 */
export const EMAIL_PATTERN_FEATURES = {
  buyers_1h: {
    description:
      'accounts whose first purchase, within an hour of their signup, fell into an hour, this one included (missing: below 3)',
    words: counted('new buyer', ' in an hour'),
    explains: 'new_account_burst',
    read: (history, context) => {
      const buyers = buyers1h(history, context);
      return buyers < FEW_BUYERS ? MISSING : buyers;
    },
  },
  burst_24h: {
    description: "how many usual days' worth of these fell into 24 hours (missing: if the hour has fewer than 3)",
    words: [
      'usual activity',
      (value, entity) => `as many new buyers in 24 hours as in ${count(value, 'usual day')} (${entity})`,
    ],
    explains: 'new_account_burst',
    read: (history, context) => {
      if (buyers1h(history, context) < FEW_BUYERS) return MISSING;
      const today = history.transactions.windows['24h'].count + thisOne(context);
      return today / usualPerDay(history, context.attempt.at_ms);
    },
  },
} as const satisfies Record<string, EntityFeature>;
