import { all, atMost, not } from '../condition';
import { deviceIsNew } from '../device-is-new';
import { duration } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

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
