import { all, atLeast, isFalse, isTrue, not } from '../condition';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';

const hasNoBillingCountry = all(not(isTrue('ip_country_differs')), not(isFalse('ip_country_differs')));

/**
 * What `ip_mismatch` says where there is no billing address to compare with. People travel with the device they have:
 * only together with another device is it evidence.
 */
export const newCountry: SignalDefinition = {
  name: 'new_country',
  summary: 'a known user in a country and on a device new to them, without a billing address to compare',
  family: 'location',
  applies_to: 'transactions',
  cases: [
    {
      when: all(
        hasNoBillingCountry,
        isFalse('user_country_seen'),
        atLeast('user_countries', 2),
        not(isTrue('user_device_seen')),
        isFalse('ip_mobile'),
        atLeast('user_tx_established', 5),
      ),
      strength: 1,
      detail: (value, { ip }) =>
        `IP address in ${ip?.country ?? 'another country'}, after ${count(value('user_tx_established'), 'transaction')} elsewhere`,
    },
  ],
};
