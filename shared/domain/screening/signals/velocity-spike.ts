import { all, atLeast } from '../condition';
import { count, perDay } from '../sentence';
import type { FeatureValues, SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

const usual = (value: FeatureValues, of: 'user' | 'device' | 'ip'): string =>
  perDay(value(`${of}_tx_10m`) / value(`${of}_burst_10m`));

/** Three retries after a decline make four attempts: counting starts there, and starts low. */
export const velocitySpike: SignalDefinition = {
  name: 'velocity_spike',
  summary: 'far more transactions in a short time than usual for the user, device, IP address or attribute',
  family: 'velocity',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('user_tx_10m', 4), atLeast('user_burst_10m', 2)),
      strength: gradedByFactor('user_tx_10m', [4, 1], [20, 4.5]),
      detail: (value) =>
        `${count(value('user_tx_10m'), 'transaction')} in 10 minutes; usual for this user: ${usual(value, 'user')}`,
    },
    {
      when: all(atLeast('user_tx_24h', 10), atLeast('user_burst_24h', 5)),
      strength: gradedByFactor('user_tx_24h', [10, 0.8], [60, 3.5]),
      detail: (value) =>
        `${count(value('user_tx_24h'), 'transaction')} in 24 hours; usual for this user: ${usual(value, 'user')}`,
    },
    {
      when: all(atLeast('device_tx_10m', 5), atLeast('device_burst_10m', 2)),
      strength: gradedByFactor('device_tx_10m', [5, 1], [30, 4.5]),
      detail: (value) =>
        `${count(value('device_tx_10m'), 'transaction')} in 10 minutes from this device; usual: ${usual(value, 'device')}`,
    },
    {
      when: all(atLeast('device_tx_24h', 8), atLeast('device_burst_24h', 5)),
      strength: gradedByFactor('device_tx_24h', [8, 0.8], [60, 3.5]),
      detail: (value) =>
        `${count(value('device_tx_24h'), 'transaction')} in 24 hours from this device; usual: ${usual(value, 'device')}`,
    },
    {
      when: all(atLeast('ip_tx_10m', 10), atLeast('ip_burst_10m', 2)),
      strength: gradedByFactor('ip_tx_10m', [10, 0.8], [100, 4]),
      detail: (value) =>
        `${count(value('ip_tx_10m'), 'transaction')} in 10 minutes from this IP address; usual: ${usual(value, 'ip')}`,
    },
    {
      when: all(atLeast('attribute_tx_10m', 10), atLeast('attribute_burst_10m', 2)),
      strength: gradedByFactor('attribute_tx_10m', [10, 0.8], [100, 3.5]),
      detail: (value) =>
        `${count(value('attribute_tx_10m'), 'transaction')} in 10 minutes with one tracked attribute, ` +
        `as many as in ${count(value('attribute_burst_10m'), 'usual day')}`,
    },
  ],
};
