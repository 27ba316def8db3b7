import { all, any, atLeast, atMost, isTrue, not } from '../condition';
import { count, duration, ordinal } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** A shop's till or a library's computer: many people, and those that were reviewed were honest. */
export const isTrustedSharedDevice = all(atLeast('device_legitimate_labels', 5), atMost('device_fraud_rate', 0.03));

/** A signup is quiet only if nothing happened for half a day: a dozen of them in a row have no purchase between them. */
const isQuietAttempt = any(isTrue('is_transaction'), all(isTrue('is_signup'), atLeast('device_idle_hours', 12)));

/** A device whose users came one by one, and that is not busy now: a dormitory, a counter, a large family. */
const isQuietForLong = all(isQuietAttempt, atLeast('device_age_days', 7), atMost('device_tx_24h', 2));

/** Two people may share a tablet, or a family of four; a dozen accounts on one device are run by one person. */
export const sharedDevice: SignalDefinition = {
  name: 'shared_device',
  summary: 'many users on one device',
  family: 'crowd',
  applies_to: 'both',
  cases: [
    {
      when: all(atLeast('device_users', 3), not(isQuietForLong), not(isTrustedSharedDevice)),
      strength: gradedByFactor('device_users', [3, 1.5], [12, 7]),
      detail: (value) => `${count(value('device_users'), 'user')} on this device in recent weeks`,
    },
    {
      when: all(atLeast('device_users', 3), isQuietForLong, not(isTrustedSharedDevice)),
      strength: gradedByFactor('device_users', [3, 0.8], [12, 3.5]),
      detail: (value) => `${count(value('device_users'), 'user')} on this device in recent weeks`,
    },
    {
      // A household's second account comes weeks after the first; a script's comes within minutes.
      when: all(
        isTrue('is_signup'),
        atLeast('device_users', 2),
        atMost('device_age_days', 1),
        not(isTrustedSharedDevice),
      ),
      strength: gradedByFactor('device_users', [2, 1.5], [8, 6]),
      detail: (value) =>
        `${ordinal(value('device_users'))} account on this device, first seen ${duration(value('device_age_days') * 86_400)} ago`,
    },
  ],
};
