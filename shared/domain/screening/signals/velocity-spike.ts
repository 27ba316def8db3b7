import { all, atLeast, isTrue, not } from '../condition';
import { isStranger } from '../is-stranger';
import { count, perDay } from '../sentence';
import type { FeatureValues, SignalCase, SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

const usual = (value: FeatureValues, of: 'user' | 'device' | 'ip' | 'network'): string =>
  perDay(value(`${of}_tx_10m`) / value(`${of}_burst_10m`));

const providerCrowd: SignalCase['detail'] = (value, { ip }) =>
  `${count(value('asn_tx_10m'), 'transaction')} in 10 minutes by users new to their IP addresses ` +
  `from one provider${ip?.asn === undefined ? '' : ` (AS${ip.asn})`}`;

/** Three retries after a decline make four attempts: counting starts there, and starts low. */
export const velocitySpike: SignalDefinition = {
  name: 'velocity_spike',
  summary: 'far more transactions in a short time than usual for the user, device, IP address, network or attribute',
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
      // Rotating through a /24 or a /48 makes every IP address new, and that is what a network counts.
      when: all(atLeast('network_tx_10m', 10), atLeast('network_burst_10m', 2), isStranger, not(isTrue('ip_mobile'))),
      strength: gradedByFactor('network_tx_10m', [10, 1.2], [50, 4.5]),
      detail: (value) =>
        `${count(value('network_tx_10m'), 'transaction')} in 10 minutes by users new to this network; usual: ${usual(value, 'network')}`,
    },
    {
      // A provider has so many customers that a week must show what is usual.
      when: all(
        atLeast('asn_tx_10m', 30),
        atLeast('asn_burst_10m', 3),
        atLeast('asn_age_days', 7),
        isStranger,
        not(isTrue('ip_mobile')),
      ),
      strength: gradedByFactor('asn_tx_10m', [30, 0.8], [300, 3]),
      detail: providerCrowd,
    },
    {
      // Few people shop from a data centre.
      when: all(atLeast('asn_tx_10m', 15), atLeast('asn_burst_10m', 2), isStranger, isTrue('ip_hosting')),
      strength: gradedByFactor('asn_tx_10m', [15, 0.8], [150, 3]),
      detail: providerCrowd,
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
