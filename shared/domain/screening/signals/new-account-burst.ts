import { all, atLeast, atMost, isTrue, not } from '../condition';
import { count, duration } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';
import { isTrustedSharedDevice } from './shared-device';

/**
 * A wave of bots signs up on a device, buys within seconds, and signs up again. Only accounts that are an hour old at most
 * can be part of it: people who share the device and have had an account for longer do not pay for the wave.
 */
export const newAccountBurst: SignalDefinition = {
  name: 'new_account_burst',
  summary: 'one of several accounts that sign up and buy on one device within an hour',
  family: 'velocity',
  applies_to: 'both',
  cases: [
    {
      // With this one. Two people at one table do this together; eight do not.
      when: all(
        atMost('since_signup_s', 3600),
        atMost('user_tx_established', 0),
        atLeast('device_tx_1h', 3),
        not(isTrustedSharedDevice),
      ),
      strength: gradedByFactor('device_tx_1h', [3, 3.5], [8, 6.5]),
      detail: (value) =>
        `${count(value('device_tx_1h'), 'transaction')} on this device in an hour; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // Somebody in the family buys, and another signs up to do the same: one purchase says nothing yet.
      when: all(isTrue('is_signup'), atLeast('device_tx_1h', 2), not(isTrustedSharedDevice)),
      strength: [
        gradedByFactor('device_tx_1h', [2, 3.5], [4, 5]),
        gradedByFactor('device_idle_hours', [0.02, 1.5], [0.5, 0]),
      ],
      detail: (value) =>
        `New account on a device with ${count(value('device_tx_1h'), 'transaction')} in the last hour, the last activity ${duration(value('device_idle_hours') * 3_600)} ago`,
    },
  ],
};
