import type { ScreeningFacts } from '../screening-facts';
import { count, duration, percent } from '../sentence';
import {
  all,
  any,
  atLeast,
  atMost,
  between,
  deviceIsNewlyEarned,
  type FeatureValues,
  gradedByFactor,
  isFalse,
  isStranger,
  isTrue,
  not,
  type SignalDefinition,
} from '../signal-definition';

const network = ({ ip }: ScreeningFacts): string =>
  ip?.asn === undefined ? 'Data-centre IP' : `Data-centre IP (AS${ip.asn})`;

export const anonymousIp: SignalDefinition = {
  name: 'anonymous_ip',
  summary: 'the IP address belongs to a data centre, proxy or relay',
  family: 'location',
  cases: [
    {
      // Some exits are in living rooms: the network says nothing about them.
      when: all(isTrue('ip_tor'), not(isTrue('user_ip_seen'))),
      strength: 2,
      detail: () => 'Exit of the Tor network',
    },
    {
      when: all(isTrue('ip_hosting'), not(isTrue('user_ip_seen'))),
      strength: 1.6,
      detail: (_, facts) => `${network(facts)}, typical of proxies, VPNs and bots`,
    },
    {
      when: all(isTrue('ip_hosting'), isTrue('user_ip_seen')),
      strength: 0.5,
      detail: (_, facts) => `${network(facts)} that this user has used before`,
    },
  ],
};

/**
 * Disposable addresses were found on 17% of a marketplace's suspended accounts; some honest people use them to be left
 * alone, so that this needs company: alone it adds few points, and only where an account is new.
 */
export const disposableEmail: SignalDefinition = {
  name: 'disposable_email',
  summary: 'a signup or first purchase with a disposable email address',
  family: 'account',
  cases: [
    {
      when: all(isTrue('email_disposable'), isTrue('is_signup')),
      strength: 2,
      detail: () => 'New account with a disposable email address',
    },
    {
      when: all(isTrue('email_disposable'), isTrue('is_transaction'), atMost('user_tx_established', 0)),
      strength: 1.5,
      detail: () => 'First purchase with a disposable email address',
    },
  ],
};

const where = ({ ip, billing_country }: ScreeningFacts): string =>
  `IP address in ${ip?.country}, billing address in ${billing_country}`;

/** Travellers and people with a card from home are honest: a mismatch alone is weak evidence. */
export const ipMismatch: SignalDefinition = {
  name: 'ip_mismatch',
  summary: 'the IP address and the billing address are in different countries',
  family: 'location',
  applies_to: 'transactions',
  cases: [
    {
      when: all(isTrue('ip_country_differs'), not(isTrue('user_country_seen')), not(isTrue('ip_mobile'))),
      strength: 1.4,
      detail: (_, facts) => `${where(facts)}; first time this user is seen there`,
    },
    {
      when: all(isTrue('ip_country_differs'), not(isTrue('user_country_seen')), isTrue('ip_mobile')),
      strength: 0.8,
      detail: (_, facts) => `${where(facts)}; mobile network`,
    },
    {
      when: all(isTrue('ip_country_differs'), isTrue('user_country_seen')),
      strength: 0.4,
      detail: (_, facts) => `${where(facts)}; this user has been seen there before`,
    },
  ],
};

/** Graded by the share of all attempts: one fraud among a carrier's thousands says nothing about the next attempt. */
export const knownFraudIp: SignalDefinition = {
  name: 'known_fraud_ip',
  summary: 'an IP address with confirmed fraud',
  family: 'reputation',
  cases: [
    {
      when: atLeast('ip_fraud_labels', 1),
      strength: gradedByFactor('ip_fraud_rate', [0.004, 0.3], [0.3, 4]),
      detail: (value) =>
        `${count(value('ip_fraud_labels'), 'confirmed fraud')} from this IP address, ` +
        `about ${percent(value('ip_fraud_rate'))} of its activity`,
    },
  ],
};

const users = (value: FeatureValues): string => `${count(value('ip_users'), 'user')} on this IP address`;

/**
 * Offices, schools and carriers put many people behind one address, so this never says much; a crowd at an
 * address that was unknown two days ago says more. Phones are left out: everybody shares a carrier's addresses.
 */
export const sharedIp: SignalDefinition = {
  name: 'shared_ip',
  summary: 'many users on one IP address, or on changing ones of a network that was unknown two days ago',
  family: 'crowd',
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

const hasNoBillingCountry = all(not(isTrue('ip_country_differs')), not(isFalse('ip_country_differs')));

/**
 * Replaces `ip_mismatch` where there is no billing address to compare with. People travel with the device they have:
 * only together with another device, or one of this week, is it evidence.
 */
export const newCountry: SignalDefinition = {
  name: 'new_country',
  summary:
    'a known user in a country and on a device new to them, without a billing address to compare, or suddenly without an IP address',
  family: 'location',
  applies_to: 'transactions',
  cases: [
    {
      when: all(
        hasNoBillingCountry,
        isFalse('user_country_seen'),
        atLeast('user_countries', 2),
        any(not(isTrue('user_device_seen')), deviceIsNewlyEarned),
        not(isTrue('ip_mobile')),
        atLeast('user_tx_established', 5),
      ),
      strength: 1,
      detail: (value, { ip }) =>
        ip?.country === undefined
          ? `No IP address, after ${count(value('user_tx_established'), 'transaction')} with one`
          : `IP address in ${ip.country}, after ${count(value('user_tx_established'), 'transaction')} elsewhere`,
    },
  ],
};

function journey(value: FeatureValues, { attempt, ip, user }: ScreeningFacts): string {
  const last = user?.last_place;
  const seconds = Math.abs(attempt.at_ms - (last?.at_ms ?? attempt.at_ms)) / 1000;
  const speed = Math.round(value('travel_kmh')).toString();
  return `From ${last?.country} to ${ip?.country} in ${duration(seconds)}, at least ${speed} km/h`;
}

/** The definition of impossible, and why phones and relays are exempt: shared/domain/ip/travel.ts. */
export const impossibleTravel: SignalDefinition = {
  name: 'impossible_travel',
  summary: 'the user was somewhere else too recently to have travelled',
  family: 'location',
  cases: [
    {
      when: all(atLeast('travel_evidence', 2), not(isTrue('user_ip_seen'))),
      strength: gradedByFactor('travel_kmh', [1000, 2.5], [20_000, 4]),
      detail: journey,
    },
    {
      // A second address that the user keeps returning to is an office line or the user's own relay.
      when: all(atLeast('travel_evidence', 2), isTrue('user_ip_seen')),
      strength: 0.8,
      detail: (value, facts) => `${journey(value, facts)}, but this user has used the IP address before`,
    },
    {
      when: all(between('travel_evidence', 1, 1), not(isTrue('user_ip_seen'))),
      strength: 1.2,
      detail: (value, facts) => `${journey(value, facts)}, unless the phone is roaming`,
    },
  ],
};
