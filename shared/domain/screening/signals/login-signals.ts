import { SPRAY_USERS } from '../../entities/attempt-counts';
import { count, duration } from '../sentence';
import {
  all,
  any,
  atLeast,
  atMost,
  deviceIsNew,
  graded,
  gradedByFactor,
  isFalse,
  isTrue,
  not,
  type SignalCase,
  type SignalDefinition,
  SPRAY_ORIGINS,
  type SprayOrigin,
} from '../signal-definition';

/** People get a password wrong two or three times; lists of stolen passwords do not stop there. */
export const failedLoginBurst: SignalDefinition = {
  name: 'failed_login_burst',
  summary: 'many failed logins by the user, on the device, from the IP address or from its network within an hour',
  family: 'account',
  cases: [
    {
      when: atLeast('user_failed_logins_1h', 4),
      strength: gradedByFactor('user_failed_logins_1h', [4, 1], [20, 4]),
      detail: (value) => `${count(value('user_failed_logins_1h'), 'failed login')} by this user within an hour`,
    },
    {
      when: atLeast('device_failed_logins_1h', 6),
      strength: gradedByFactor('device_failed_logins_1h', [6, 1.2], [40, 4.5]),
      detail: (value) => `${count(value('device_failed_logins_1h'), 'failed login')} on this device within an hour`,
    },
    {
      when: atLeast('ip_failed_logins_1h', 15),
      strength: gradedByFactor('ip_failed_logins_1h', [15, 1.2], [200, 5]),
      detail: (value) => `${count(value('ip_failed_logins_1h'), 'failed login')} from this IP address within an hour`,
    },
    {
      when: all(atLeast('network_failed_logins_1h', 20), not(isTrue('user_ip_seen'))),
      strength: gradedByFactor('network_failed_logins_1h', [20, 1.2], [250, 5]),
      detail: (value) => `${count(value('network_failed_logins_1h'), 'failed login')} from this network within an hour`,
    },
  ],
};

/**
 * One place tries many users: nobody's own mistakes look like that. It speaks against what comes from that place, and not
 * against the users who were tried. Logins that failed have done no harm yet, so they stay below a review; what succeeds
 * is the business of `success_after_spray`. Where the user is at home (an office on the morning after everybody had to
 * choose a new password), it hardly counts.
 */
const casesOf = ([of, place, isOwn]: SprayOrigin): readonly SignalCase[] => {
  const isSpray = atLeast(`${of}_failing_users_5m`, SPRAY_USERS);
  const detail: SignalCase['detail'] = (value) =>
    `Failed logins of ${count(value(`${of}_failing_users_5m`), 'different user')} from this ${place} within 5 minutes`;
  return [
    {
      when: all(isSpray, isTrue('is_failed'), not(isOwn)),
      strength: gradedByFactor(`${of}_failing_users_5m`, [SPRAY_USERS, 4], [100, 5.5]),
      detail,
    },
    {
      when: all(isSpray, isFalse('is_failed'), not(isOwn)),
      strength: gradedByFactor(`${of}_failing_users_5m`, [SPRAY_USERS, 1.5], [100, 3]),
      detail,
    },
    { when: all(isSpray, isOwn), strength: 0.5, detail },
    {
      when: all(atLeast(`${of}_since_spray_s`, 1), isTrue('is_login'), isTrue('is_failed'), not(isOwn)),
      strength: graded(`${of}_since_spray_s`, [60, 3], [3_600, 1.5]),
      detail: (value) =>
        `Failed login ${duration(value(`${of}_since_spray_s`))} after a password spray from this ${place}`,
    },
  ];
};

export const passwordSpray: SignalDefinition = {
  name: 'password_spray',
  summary: `failed logins of at least ${SPRAY_USERS} users from one IP address, network or device within 5 minutes, or another one within an hour of that`,
  family: 'account',
  cases: SPRAY_ORIGINS.flatMap(casesOf),
};

/** Steps of a thief after guessing a password. Someone who signs up or forgot a password has not guessed one. */
const isThroughTheDoor = all(isFalse('is_failed'), any(isTrue('is_login'), isTrue('is_transaction')));

const casesAfter = ([of, place, isOwn]: SprayOrigin): readonly SignalCase[] => {
  const isAfterSpray = all(atLeast(`${of}_since_spray_s`, 0), isThroughTheDoor);
  const detail: SignalCase['detail'] = (value, { attempt }) => {
    const what = attempt.action === 'transaction' ? 'Purchase' : 'Login';
    const seconds = value(`${of}_since_spray_s`);
    return seconds < 1
      ? `${what} during a password spray from the same ${place}`
      : `${what} ${duration(seconds)} after a password spray from the same ${place}`;
  };
  return [
    {
      when: all(isAfterSpray, not(isOwn)),
      strength: graded(`${of}_since_spray_s`, [0, 6.8], [3_600, 6]),
      detail,
    },
    { when: all(isAfterSpray, isOwn), strength: 0.5, detail },
  ];
};

/** Many users' passwords were just tried from here, and one was right: this is hardly the user. */
export const successAfterSpray: SignalDefinition = {
  name: 'success_after_spray',
  summary:
    'a successful login, or a purchase, from an IP address, network or device with a password spray in the last hour',
  family: 'crowd',
  cases: SPRAY_ORIGINS.flatMap(casesAfter),
};

const DAY_S = 86_400;

export const passwordResetThenPurchase: SignalDefinition = {
  name: 'password_reset_then_purchase',
  summary: 'a purchase within a day of a password reset; on a new device, typical of a stolen account',
  family: 'account',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atMost('since_password_reset_s', DAY_S), deviceIsNew),
      strength: gradedByFactor('since_password_reset_s', [600, 3.2], [DAY_S, 1.2]),
      detail: (value) =>
        `Purchase ${duration(value('since_password_reset_s'))} after a password reset, on a device new to this user`,
    },
    {
      when: all(atMost('since_password_reset_s', DAY_S), not(deviceIsNew)),
      strength: gradedByFactor('since_password_reset_s', [600, 1.4], [DAY_S, 0.4]),
      detail: (value) => `Purchase ${duration(value('since_password_reset_s'))} after a password reset`,
    },
  ],
};
