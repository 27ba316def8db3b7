import { isFailedLogin } from '../../entities/attempt-delta';
import { failingUsersNow, SPRAY_MEMORY_MS, SPRAY_USERS } from '../../entities/password-spray';
import { count } from '../sentence';
import { distinctNow } from './counterpart-features';
import { ENTITY_FEATURES } from './entity-features';
import { type EntityFeature, MISSING } from './feature-table';
import { ago, counted } from './feature-words';

const { tx_10m, burst_10m, age_days, failed_logins_1h } = ENTITY_FEATURES;

/** Fewer attempts in ten minutes are not a crowd. Most networks are quiet, and what is missing takes no bytes of a vector. */
const QUIET_BELOW = 5;
const YOUNG_DAYS = 2;

/** The feature, missing while the network is quiet. */
const unlessQuiet =
  (read: EntityFeature['read']): EntityFeature['read'] =>
  (history, context) =>
    tx_10m.read(history, context) < QUIET_BELOW ? MISSING : read(history, context);

/**
 * What a network counts is unusual already (the domain's `counts-on-networks.ts`), and that is what these are about. An
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

/** The /24 or /48. */
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

/** The same for everything that passwords can be tried from: device, IP address and network. */
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
