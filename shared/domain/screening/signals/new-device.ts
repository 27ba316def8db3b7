import { all, any, atLeast, atMost, isFalse, not } from '../condition';
import { deviceIsNewlyEarned, deviceIsYoung } from '../device-is-new';
import { count, duration, ordinal } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

/** What was only tried does not count; older vectors have no such feature. */
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
  applies_to: 'both',
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
