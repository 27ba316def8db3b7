import { atMost } from '../condition';
import { percent } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { graded } from '../strength';

export const unusualHour: SignalDefinition = {
  name: 'unusual_hour',
  summary: 'a time of day when the user is rarely active',
  family: 'habit',
  applies_to: 'both',
  cases: [
    {
      when: atMost('user_hour_share', 0.02),
      strength: graded('user_hour_share', [0, 0.8], [0.02, 0.4]),
      detail: (value) =>
        `${Math.floor(value('hour_utc'))}:00 UTC, when ${percent(value('user_hour_share'))} of this user's activity happens`,
    },
  ],
};
