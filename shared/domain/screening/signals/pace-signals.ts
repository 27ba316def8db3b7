import { count, duration, ordinal, perDay, price } from '../sentence';
import {
  all,
  atLeast,
  atMost,
  type FeatureValues,
  gradedByFactor,
  isStranger,
  isTrue,
  not,
  type SignalCase,
  type SignalDefinition,
} from '../signal-definition';
import { isTrustedSharedDevice } from './device-signals';

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
      // Rotating through a /24 or a /48 makes every IP address new, which is why networks are counted.
      when: all(atLeast('network_tx_10m', 10), atLeast('network_burst_10m', 2), isStranger, not(isTrue('ip_mobile'))),
      strength: gradedByFactor('network_tx_10m', [10, 1.2], [50, 4.5]),
      detail: (value) =>
        `${count(value('network_tx_10m'), 'transaction')} in 10 minutes by users new to this network; usual: ${usual(value, 'network')}`,
    },
    {
      // A provider has so many customers that a week is needed to show the usual level.
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

/** Only these can be part of a wave: accounts at most an hour old, without a purchase before. */
const isNewAccount = all(atMost('since_signup_s', 3600), atMost('user_tx_established', 0));
/** Carriers, relays and VPNs put strangers together, at an address and in a network; `anonymous_ip` covers the latter two. */
const isOwnConnection = all(not(isTrue('ip_mobile')), not(isTrue('ip_hosting')));
/** People need a minute for a purchase, scripts do not. */
const atOnce = gradedByFactor('since_signup_s', [20, 2], [300, 0]);

/**
 * A wave of bots signs up on a device, buys within seconds, and signs up again. Only accounts that are an hour old at most
 * can be part of it: people who share the device and have had an account for longer do not pay for the wave.
 */
export const newAccountBurst: SignalDefinition = {
  name: 'new_account_burst',
  summary:
    'one of several accounts that sign up and buy within an hour on one device, at one IP address, in a network unknown two days ago, or under email addresses that differ in a number',
  family: 'velocity',
  cases: [
    {
      // With this one. Two people at one table do this together; eight do not.
      when: all(isNewAccount, atLeast('device_tx_1h', 3), not(isTrustedSharedDevice)),
      strength: gradedByFactor('device_tx_1h', [3, 3.5], [8, 6.5]),
      detail: (value) =>
        `${count(value('device_tx_1h'), 'transaction')} on this device in an hour; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // One family member buys, and another signs up to do the same: one purchase says nothing yet.
      when: all(isTrue('is_signup'), atLeast('device_tx_1h', 2), not(isTrustedSharedDevice)),
      strength: [
        gradedByFactor('device_tx_1h', [2, 3.5], [4, 5]),
        gradedByFactor('device_idle_hours', [0.02, 1.5], [0.5, 0]),
      ],
      detail: (value) =>
        `New account on a device with ${count(value('device_tx_1h'), 'transaction')} in the last hour, the last activity ${duration(value('device_idle_hours') * 3_600)} ago`,
    },
    {
      // A device for each account, but one address. Where traffic is as on any other day, new customers are usual too.
      when: all(isNewAccount, atLeast('ip_tx_1h', 4), atLeast('ip_burst_24h', 3), isOwnConnection),
      strength: [gradedByFactor('ip_tx_1h', [4, 0.6], [12, 1.4]), atOnce],
      detail: (value) =>
        `${count(value('ip_tx_1h'), 'transaction')} at this IP address in an hour; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // And a new address for each, in a network where nobody was before.
      when: all(isNewAccount, atLeast('network_young_users', 4), isOwnConnection),
      strength: [gradedByFactor('network_young_users', [4, 0.6], [12, 1.4]), atOnce],
      detail: (value) =>
        `${count(value('network_young_users'), 'user')} in a network first seen within 2 days; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // A connection has a /48 to itself, and an address for each account. Alone this stays below review: classes sign up too.
      when: all(isTrue('is_signup'), atLeast('network_young_users', 6), isOwnConnection),
      strength: gradedByFactor('network_young_users', [6, 1.5], [24, 5]),
      detail: (value) =>
        `New account, one of ${count(value('network_young_users'), 'user')} in a network first seen within 2 days`,
    },
    {
      // A device and a network for each, but names from one template. Where as many come every day, a shop generates them.
      when: all(isNewAccount, atLeast('email_pattern_buyers_1h', 3), atLeast('email_pattern_burst_24h', 3)),
      strength: [gradedByFactor('email_pattern_buyers_1h', [3, 1], [10, 3]), atOnce],
      detail: (value) =>
        `${count(value('email_pattern_buyers_1h'), 'new account')} bought in an hour under email addresses like this one; it is ${duration(value('since_signup_s'))} old`,
    },
    {
      when: all(isTrue('is_signup'), atLeast('email_pattern_buyers_1h', 3), atLeast('email_pattern_burst_24h', 3)),
      strength: gradedByFactor('email_pattern_buyers_1h', [3, 3.5], [8, 5]),
      detail: (value) =>
        `New account; ${count(value('email_pattern_buyers_1h'), 'other')} bought in the last hour under email addresses like this one`,
    },
  ],
};

/** A guest checkout signs up and pays at once, honestly: alone this ends at about 50, below review. */
export const rapidSignupPurchase: SignalDefinition = {
  name: 'rapid_signup_purchase',
  summary: 'a purchase within an hour of signing up; the sooner, the riskier',
  family: 'account',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atMost('since_signup_s', 3600), atMost('user_tx_established', 0)),
      strength: gradedByFactor('since_signup_s', [5, 6], [3600, 0.5]),
      detail: (value) => `Purchase ${duration(value('since_signup_s'))} after signing up`,
    },
  ],
};

/** On a device that the user earned a week ago, with a card they paid with before: a decline is the bank's business. */
const isFamiliar = all(atLeast('user_device_days', 7), isTrue('user_card_seen'));

/** Three cards of one person that banks refuse within a day are rarely that person's. Unless everyone's are refused. */
export const declinedCards: SignalDefinition = {
  name: 'declined_cards',
  summary: 'several cards declined by banks within a day for one user, on one device or at one IP address',
  family: 'velocity',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('user_lone_declined_cards_24h', 3), not(isFamiliar)),
      strength: gradedByFactor('user_lone_declined_cards_24h', [3, 6.9], [8, 7.5]),
      detail: (value) => `${count(value('user_lone_declined_cards_24h'), 'card')} of this user declined in 24 hours`,
    },
    {
      when: all(atLeast('device_lone_declined_cards_24h', 3), not(isFamiliar), not(isTrustedSharedDevice)),
      strength: gradedByFactor('device_lone_declined_cards_24h', [3, 6.9], [8, 7.5]),
      detail: (value) =>
        `${count(value('device_lone_declined_cards_24h'), 'card')} declined on this device in 24 hours`,
    },
    {
      // Behind an office's or a carrier's address someone's card is always declined: most of them must be.
      when: all(
        atLeast('ip_lone_declined_cards_24h', 5),
        atLeast('ip_declined_share_24h', 0.5),
        not(isTrue('ip_mobile')),
        not(isFamiliar),
      ),
      strength: gradedByFactor('ip_lone_declined_cards_24h', [5, 6], [12, 7.5]),
      detail: (value) =>
        `${count(value('ip_lone_declined_cards_24h'), 'card')} declined at this IP address in 24 hours`,
    },
  ],
};

/** People mistype a CVC once or twice; a thief with a number and no CVC has a thousand to try. */
export const cvcGuessing: SignalDefinition = {
  name: 'cvc_guessing',
  summary: 'several wrong CVCs for one card within a day, no matter who tries',
  family: 'velocity',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('card_fingerprint_wrong_cvcs_24h', 3), not(isFamiliar)),
      strength: gradedByFactor('card_fingerprint_wrong_cvcs_24h', [3, 4], [5, 7]),
      detail: (value) => `${count(value('card_fingerprint_wrong_cvcs_24h'), 'wrong CVC')} for this card in 24 hours`,
    },
    {
      // The owner is one person.
      when: all(
        atLeast('card_fingerprint_wrong_cvcs_24h', 3),
        atLeast('card_fingerprint_users', 2),
        not(isTrue('user_card_seen')),
      ),
      strength: gradedByFactor('card_fingerprint_wrong_cvcs_24h', [3, 6.9], [6, 7.5]),
      detail: (value) =>
        `${count(value('card_fingerprint_wrong_cvcs_24h'), 'wrong CVC')} for this card in 24 hours, tried by ${count(value('card_fingerprint_users'), 'user')}`,
    },
  ],
};

/** Testers keep amounts small, so that the card's owner does not notice: 10 US dollars or less. */
const SMALL_LN_USD = Math.log(10);
/** An office at noon also uses many cards from one address, but it pays for lunch. */
const MODEST_LN_USD = Math.log(20);

export const cardTestingPattern: SignalDefinition = {
  name: 'card_testing_pattern',
  summary: 'many cards, or many small amounts, in quick succession',
  family: 'velocity',
  applies_to: 'transactions',
  cases: [
    {
      when: all(atLeast('user_cards', 4), atLeast('user_tx_1h', 4)),
      strength: gradedByFactor('user_cards', [4, 3.5], [10, 6.5]),
      detail: (value) =>
        `${count(value('user_cards'), 'card')} tried by this user, ${count(value('user_tx_1h'), 'transaction')} in the last hour`,
    },
    {
      when: all(atLeast('device_cards', 4), atLeast('device_tx_1h', 4), atLeast('device_burst_24h', 2)),
      strength: gradedByFactor('device_cards', [4, 3.5], [10, 6.5]),
      detail: (value) =>
        `${count(value('device_cards'), 'card')} tried on this device, ${count(value('device_tx_1h'), 'transaction')} in the last hour`,
    },
    {
      when: all(
        atMost('amount_ln_usd', MODEST_LN_USD),
        atLeast('ip_cards', 6),
        atLeast('ip_tx_10m', 6),
        atLeast('ip_burst_10m', 2),
      ),
      strength: gradedByFactor('ip_cards', [6, 2.5], [30, 6.2]),
      detail: (value) =>
        `${count(value('ip_cards'), 'card')} tried from this IP address, ${count(value('ip_tx_10m'), 'transaction')} in 10 minutes`,
    },
    {
      when: all(atMost('amount_ln_usd', SMALL_LN_USD), atLeast('user_tx_10m', 5), atLeast('user_burst_10m', 2)),
      strength: gradedByFactor('user_tx_10m', [5, 2.2], [12, 6.2]),
      detail: (value, { attempt }) =>
        `Small payment of ${price(attempt, value('amount_ln_usd'))}, this user's ${ordinal(value('user_tx_10m'))} in 10 minutes`,
    },
    {
      when: all(atMost('amount_ln_usd', SMALL_LN_USD), atLeast('device_tx_10m', 5), atLeast('device_burst_10m', 2)),
      strength: gradedByFactor('device_tx_10m', [5, 2.2], [12, 6.2]),
      detail: (value, { attempt }) =>
        `Small payment of ${price(attempt, value('amount_ln_usd'))}, the ${ordinal(value('device_tx_10m'))} from this device in 10 minutes`,
    },
    {
      when: all(atMost('amount_ln_usd', SMALL_LN_USD), atLeast('ip_tx_10m', 10), atLeast('ip_burst_10m', 2)),
      strength: gradedByFactor('ip_tx_10m', [10, 2], [40, 6]),
      detail: (value, { attempt }) =>
        `Small payment of ${price(attempt, value('amount_ln_usd'))}, the ${ordinal(value('ip_tx_10m'))} from this IP address in 10 minutes`,
    },
  ],
};
