import { SPRAY_USERS } from '../../entities/password-spray';
import { all, atLeast, isFalse, isTrue, not } from '../condition';
import { count, duration } from '../sentence';
import type { SignalCase, SignalDefinition } from '../signal-definition';
import { SPRAY_ORIGINS, type SprayOrigin } from '../spray-origins';
import { graded, gradedByFactor } from '../strength';

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
  applies_to: 'both',
  cases: SPRAY_ORIGINS.flatMap(casesOf),
};
