import { isFailedLogin } from '../../entities/attempt-delta';
import { failingUsersNow, SPRAY_MEMORY_MS, SPRAY_USERS } from '../../entities/password-spray';
import { distinctNow } from './counterpart-features';
import { ENTITY_FEATURES } from './entity-features';
import { type EntityFeature, MISSING } from './feature-table';

const { tx_10m, burst_10m, age_days, failed_logins_1h } = ENTITY_FEATURES;

/**
 * The autonomous system: so large that only a burst says something. What a network counts is unusual already (the domain's
 * `counts-on-networks.ts`), and that is what these are about.
 */
export const ASN_FEATURES = {
  tx_10m: { ...tx_10m, description: 'transactions of users new to their IP address in 10 minutes, this one included' },
  burst_10m: {
    ...burst_10m,
    description: "how many usual days' worth of transactions of users new to their IP address fell into 10 minutes",
  },
  age_days: { description: age_days.description, read: age_days.read },
} as const satisfies Record<string, EntityFeature>;

/** The /24 or /48. */
export const NETWORK_FEATURES = {
  ...ASN_FEATURES,
  users: {
    description: 'different users new to their IP address in the last 30 to 60 days, this one included',
    explains: 'shared_ip',
    read: (history) => distinctNow(history, 'users'),
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
    explains: 'password_spray',
    read: ({ failing_users }, { attempt }) =>
      failing_users === undefined ? MISSING : failingUsersNow(failing_users, isFailedLogin(attempt)),
  },
  since_spray_s: {
    description: `seconds since a password spray (missing: none within an hour; 0: at least ${SPRAY_USERS} users now)`,
    explains: 'success_after_spray',
    read: ({ failing_users }, { attempt }) => {
      if (failing_users === undefined) return MISSING;
      if (failingUsersNow(failing_users, isFailedLogin(attempt)) >= SPRAY_USERS) return 0;
      const agoMs = attempt.at_ms - (failing_users.last_spray_ms ?? MISSING);
      return agoMs <= SPRAY_MEMORY_MS ? Math.max(0, agoMs) / 1000 : MISSING;
    },
  },
} as const satisfies Record<string, EntityFeature>;
