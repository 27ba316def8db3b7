import { all, atLeast, atMost, isFalse } from '../condition';
import { deviceIsYoung } from '../device-is-new';
import { count, duration, ordinal } from '../sentence';
import type { SignalDefinition } from '../signal-definition';

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
      when: all(isFalse('user_device_seen'), atLeast('user_tx_established', 5), atMost('user_devices', 2)),
      strength: 1.4,
      detail: (value) =>
        `First use of this device after ${count(value('user_tx_established'), 'transaction')} on others`,
    },
  ],
};
