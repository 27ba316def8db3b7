import { all, atLeast, atMost, isTrue, not } from '../condition';
import { count, duration } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';
import { isTrustedSharedDevice } from './shared-device';

/** Only they can be part of a wave: an account that is an hour old at most and has not bought before. */
const isNewAccount = all(atMost('since_signup_s', 3600), atMost('user_tx_established', 0));
/** Carriers, relays and VPNs put strangers together, at an address and in a network; `anonymous_ip` speaks of the latter two. */
const isOwnPlace = all(not(isTrue('ip_mobile')), not(isTrue('ip_hosting')));
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
  applies_to: 'both',
  cases: [
    {
      // With this one. Two people at one table do this together; eight do not.
      when: all(isNewAccount, atLeast('device_tx_1h', 3), not(isTrustedSharedDevice)),
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
    {
      // A device for each account, but one address. Where it is as busy as on any other day, new customers are too.
      when: all(isNewAccount, atLeast('ip_tx_1h', 4), atLeast('ip_burst_24h', 3), isOwnPlace),
      strength: [gradedByFactor('ip_tx_1h', [4, 0.6], [12, 1.4]), atOnce],
      detail: (value) =>
        `${count(value('ip_tx_1h'), 'transaction')} at this IP address in an hour; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // And another address for each, in a network where nobody was before.
      when: all(isNewAccount, atLeast('network_young_users', 4), isOwnPlace),
      strength: [gradedByFactor('network_young_users', [4, 0.6], [12, 1.4]), atOnce],
      detail: (value) =>
        `${count(value('network_young_users'), 'user')} in a network first seen within 2 days; this account is ${duration(value('since_signup_s'))} old`,
    },
    {
      // A device and a network for each, but names from one mould. Where as many come on any day, a shop makes them up.
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
