import { atLeast } from '../condition';
import { count } from '../sentence';
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
  ],
};
