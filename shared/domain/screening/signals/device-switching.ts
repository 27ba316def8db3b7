import { all, atLeast, isFalse } from '../condition';
import { count, ordinal } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

export const deviceSwitching: SignalDefinition = {
  name: 'device_switching',
  summary: 'a user with more devices than people own',
  family: 'device',
  applies_to: 'both',
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
