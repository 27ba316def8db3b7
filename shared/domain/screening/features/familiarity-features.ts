import { count, duration } from '../sentence';
import { type AttemptFeature, type EntityFeature, flag, MISSING } from './feature-table';
import { known } from './feature-words';

const DAY_MS = 86_400_000;

/** What the user has earned (docs/entities.md). */
export const FAMILIARITY_FEATURES = {
  device_days: {
    description: 'days since it earned this device (0: not earned; missing: no device)',
    words: ['familiar device', (value) => `device used by this user for ${duration(value * 86_400)}`],
    explains: 'new_device',
    read: ({ own_device, seen }, { attempt }) => {
      if (own_device === undefined) return seen.devices === false ? 0 : MISSING;
      return Math.max(0, attempt.at_ms - own_device.since_ms) / DAY_MS;
    },
  },
  earned_devices: {
    description: 'devices earned in the last 30 to 60 days',
    words: ['devices', (value, entity) => `${count(value, 'familiar device')} (${entity})`],
    explains: 'new_device',
    read: ({ earned }) => earned.devices,
  },
} as const satisfies Record<string, EntityFeature>;

export const REPEAT_FEATURES = {
  repeats_stopped_score: {
    description: 'highest score of a stopped attempt of this user that this one repeats (0: none)',
    words: [
      'stopped attempts',
      (value) => (value > 0 ? `repeats an attempt stopped at ${Math.round(value)}` : 'repeats no stopped attempt'),
    ],
    explains: 'repeats_stopped_attempt',
    read: ({ facts: { repeats_score = 0 } }) => repeats_score,
  },
} as const satisfies Record<string, AttemptFeature>;

/** Whether the user has earned the device or address: asked of the user, since anybody can be seen on either. */
export const earnedBy = (counterpart: 'devices' | 'ips', explains: string): EntityFeature => ({
  description: '1 when this user was seen with it before',
  words: known('user'),
  explains,
  read: (_, { facts: { user } }) => flag(user?.seen[counterpart]),
});
