import { all, atLeast, atMost, isFalse, isTrue, not } from '../condition';
import { isStranger } from '../is-stranger';
import { count, duration } from '../sentence';
import type { FeatureValues, SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

const users = (value: FeatureValues): string => `${count(value('ip_users'), 'user')} on this IP address`;

/**
 * Offices, schools and carriers put many people behind one address, so this never says much; a crowd at an
 * address that was unknown two days ago says more. Phones are left out: everybody shares a carrier's addresses.
 */
export const sharedIp: SignalDefinition = {
  name: 'shared_ip',
  summary: 'many users on one IP address, or on changing ones of a network that was unknown two days ago',
  family: 'crowd',
  applies_to: 'both',
  cases: [
    {
      when: all(isTrue('is_transaction'), atLeast('ip_users', 8), not(isTrue('ip_mobile'))),
      strength: gradedByFactor('ip_users', [8, 0.4], [60, 1.4]),
      detail: (value) => `${users(value)} in recent weeks`,
    },
    {
      when: all(isTrue('is_transaction'), atLeast('ip_users', 4), atMost('ip_age_days', 2), not(isTrue('ip_mobile'))),
      strength: gradedByFactor('ip_users', [4, 0.8], [20, 2.5]),
      detail: (value) => `${users(value)}, first seen ${duration(value('ip_age_days') * 86_400)} ago`,
    },
    {
      when: all(isTrue('is_transaction'), atLeast('network_young_users', 8), isStranger, not(isTrue('ip_mobile'))),
      strength: gradedByFactor('network_young_users', [8, 1], [30, 2.5]),
      detail: (value) =>
        `${count(value('network_young_users'), 'user')} on changing IP addresses of a network first seen within 2 days`,
    },
    {
      // Logins and signups are everyday life in an office.
      when: all(isFalse('is_transaction'), atLeast('ip_users', 8), not(isTrue('ip_mobile'))),
      strength: gradedByFactor('ip_users', [8, 0.3], [60, 0.8]),
      detail: (value) => `${users(value)} in recent weeks`,
    },
  ],
};
