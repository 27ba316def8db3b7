import { count, duration, ordinal } from '../sentence';
import {
  all,
  any,
  atLeast,
  atMost,
  deviceIsNewlyEarned,
  deviceIsYoung,
  graded,
  gradedByFactor,
  isFalse,
  isTrue,
  not,
  type SignalDefinition,
} from '../signal-definition';
import { UNREFUTED_SHARE } from './history-signals';

/** Devices that were only tried do not count; older vectors have no such feature. */
const hasOneOtherDevice = all(
  not(atLeast('user_earned_devices', 2)),
  any(atLeast('user_earned_devices', 0), atMost('user_devices', 2)),
);

const shortTime = (days: number): string => (days < 1 ? 'less than a day' : count(days, 'day'));

/** Only for known users: to a newcomer every device is new, which says nothing. */
export const newDevice: SignalDefinition = {
  name: 'new_device',
  summary: 'a known user on a device new to them',
  family: 'device',
  cases: [
    {
      when: deviceIsYoung,
      strength: 1.2,
      detail: (value) =>
        `Device first seen ${duration(value('device_age_days') * 86_400)} ago, user ${count(value('user_age_days'), 'day')} ago`,
    },
    {
      when: deviceIsNewlyEarned,
      strength: graded('user_device_days', [0.5, 1.4], [7, 0.4]),
      detail: (value) =>
        `This user has had the device for ${shortTime(value('user_device_days'))}, and has been known for ` +
        count(value('user_age_days'), 'day'),
    },
    {
      when: all(isFalse('user_device_seen'), atLeast('user_devices', 2)),
      strength: 0.7,
      detail: (value) => `First use of this device (the user's ${ordinal(value('user_devices'))})`,
    },
    {
      when: all(isFalse('user_device_seen'), atLeast('user_age_days', 1)),
      strength: 0.9,
      detail: (value) => `First use of this device by a user known for ${count(value('user_age_days'), 'day')}`,
    },
    {
      when: all(isFalse('user_device_seen'), atLeast('user_tx_established', 5), hasOneOtherDevice),
      strength: 1.4,
      detail: (value) =>
        `First use of this device after ${count(value('user_tx_established'), 'transaction')} on others`,
    },
  ],
};

/** A shop's till or a library's computer: many people, and the reviewed ones were honest. */
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

/** Reviewed often of late, never as fraud, and hardly ever before: a company's card. */
const isTrustedCard = all(
  atLeast('card_fingerprint_labels_30d', 5),
  atMost('card_fingerprint_fraud_labels_30d', 0),
  atMost('card_fingerprint_fraud_share', 0.03),
);

/** A card has one owner, sometimes a family; anyone who has paid with it before is one of them. */
export const sharedCard: SignalDefinition = {
  name: 'shared_card',
  summary: 'many users with one card',
  family: 'crowd',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('card_fingerprint_users', 3), not(isTrue('user_card_seen')), not(isTrustedCard)),
      strength: gradedByFactor('card_fingerprint_users', [3, 1.5], [6, 7.5]),
      detail: (value) => `${count(value('card_fingerprint_users'), 'user')} with this card in recent weeks`,
    },
    {
      when: all(atLeast('card_fingerprint_users', 5), isTrue('user_card_seen'), not(isTrustedCard)),
      strength: gradedByFactor('card_fingerprint_users', [5, 0.5], [20, 4]),
      detail: (value) => `${count(value('card_fingerprint_users'), 'user')} with this card in recent weeks`,
    },
  ],
};

export const deviceSwitching: SignalDefinition = {
  name: 'device_switching',
  summary: 'a user with more devices than people own',
  family: 'device',
  cases: [
    {
      when: atLeast('user_devices', 4),
      strength: gradedByFactor('user_devices', [4, 0.6], [15, 3.2]),
      detail: (value) => `This user has used ${count(value('user_devices'), 'device')} in recent weeks`,
    },
    {
      // One more, and not one that the user has earned: an account that is passed around.
      when: all(atLeast('user_devices', 4), isFalse('user_device_seen'), atLeast('user_age_days', 1)),
      strength: gradedByFactor('user_devices', [4, 1], [10, 3.8]),
      detail: (value) => `The ${ordinal(value('user_devices'))} device of this user in recent weeks, and new to them`,
    },
  ],
};

export const knownFraudDevice: SignalDefinition = {
  name: 'known_fraud_device',
  summary: 'a device with confirmed fraud',
  family: 'reputation',
  cases: [
    {
      when: atLeast('device_fraud_labels', 1),
      strength: gradedByFactor('device_fraud_share', [0.01, 0.2], [0.6, 6.5]),
      detail: (value) =>
        `${count(value('device_fraud_labels'), 'confirmed fraud')} on this device; ` +
        `${value('device_legitimate_labels')} confirmed legitimate`,
    },
  ],
  forces_review: all(atLeast('device_fraud_labels', 1), atLeast('device_fraud_share', UNREFUTED_SHARE)),
};
