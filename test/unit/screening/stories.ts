import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import {
  DAY_MS,
  event,
  HOUR_MS,
  history,
  KNOWN,
  MINUTE_MS,
  NEVER_SEEN,
  NOW_MS,
  purchase,
} from '../../support/screening/build-history';

/** A story ends with one attempt: its decision, and the reason that a person would give. */
export interface Story {
  readonly title: string;
  readonly facts: ScreeningFacts;
  readonly decisions: ReadonlyArray<'allow' | 'review' | 'block'>;
  readonly names: readonly string[];
  readonly never?: readonly string[];
  readonly below?: number;
}

const home = { country: 'US', network: 'other', at_ms: NOW_MS - 3 * HOUR_MS } as const;
const regular = history(200, { within7d: 3, within30d: 9, earlier: 60 }, { ...KNOWN, last_place: home });

const STOPPED: Story['decisions'] = ['review', 'block'];

export const FRAUD: readonly Story[] = [
  {
    title: 'card testing: twelve cards in ten minutes on one device, a dollar each',
    facts: purchase(
      {
        user: history(
          0.01,
          { within10m: 11, eachUsd: 1 },
          { distinct: { ...KNOWN.distinct, cards: 11 }, seen: { ...KNOWN.seen, cards: false } },
        ),
        device: history(
          0.01,
          { within10m: 11, eachUsd: 1 },
          { distinct: { ...KNOWN.distinct, cards: 11 }, seen: { ...KNOWN.seen, cards: false } },
        ),
        ip_history: history(
          0.01,
          { within10m: 11, eachUsd: 1 },
          { distinct: { ...KNOWN.distinct, cards: 11 }, seen: { ...KNOWN.seen, cards: false } },
        ),
      },
      { amount: 1 },
    ),
    decisions: STOPPED,
    names: ['card_testing_pattern', 'velocity_spike'],
  },
  {
    title: 'card testing: a new user for every card, one IP address, no device sent',
    facts: purchase(
      {
        device: undefined,
        ip_history: history(
          0.02,
          { within10m: 25, eachUsd: 2 },
          { distinct: { users: 25, cards: 25 }, seen: { users: false, cards: false } },
        ),
      },
      { amount: 2 },
    ),
    decisions: STOPPED,
    names: ['card_testing_pattern', 'velocity_spike', 'shared_ip'],
  },
  {
    title: 'account takeover: failed logins, password reset, new device, new country, high amount',
    facts: purchase(
      {
        user: {
          ...regular,
          failed_logins: { '10m': 2, '1h': 9, '24h': 9 },
          last_event_ms: { password_reset: NOW_MS - 8 * MINUTE_MS },
          seen: { ...KNOWN.seen, devices: false, ips: false, countries: false },
        },
        ip: { country: 'VN', asn: 45899, network: 'other' },
      },
      { amount: 1800 },
    ),
    decisions: STOPPED,
    names: [
      'password_reset_then_purchase',
      'failed_login_burst',
      'new_device',
      'ip_mismatch',
      'impossible_travel',
      'amount_anomaly',
    ],
  },
  {
    title: 'one device behind many accounts: the fourteenth buys',
    facts: purchase({
      device: history(
        6,
        { within24h: 4, within7d: 9 },
        { distinct: { users: 13, ips: 3, cards: 3 }, seen: { users: false, ips: true, cards: true } },
      ),
    }),
    decisions: STOPPED,
    names: ['shared_device'],
  },
  {
    title: 'signup, and ten seconds later a high amount',
    facts: purchase(
      {
        user: history(0.0001, {}, { last_event_ms: { signup: NOW_MS - 6_000 }, seen: { ...KNOWN.seen, cards: false } }),
      },
      { amount: 1500 },
    ),
    decisions: STOPPED,
    names: ['rapid_signup_purchase', 'first_use_high_amount'],
  },
  {
    title: 'a wave of bots: signs up and buys in a second on a shared device and IP address',
    facts: purchase({
      user: history(0.00001, {}, { last_event_ms: { signup: NOW_MS - 1_000 }, seen: KNOWN.seen }),
      device: history(
        1,
        { within1h: 3, within24h: 6 },
        { distinct: { users: 8, ips: 2, cards: 8 }, seen: { users: true, ips: true, cards: false } },
      ),
      ip_history: history(
        1,
        { within1h: 3, within24h: 6 },
        { distinct: { users: 9, devices: 1, cards: 8 }, seen: { users: true, devices: true } },
      ),
    }),
    decisions: ['block'],
    names: ['rapid_signup_purchase', 'shared_device', 'shared_ip'],
  },
  {
    title: 'an ordinary purchase on a device on which fraud was confirmed',
    facts: purchase({ device: history(20, { within7d: 2 }, { ...KNOWN, labels: { fraud: 1, legitimate: 0 } }) }),
    decisions: STOPPED,
    names: ['known_fraud_device'],
  },
  {
    title: 'credential stuffing: one IP address, hundreds of failed logins, now at this user',
    facts: event(
      'login',
      {
        user: {
          ...regular,
          failed_logins: { '10m': 4, '1h': 4, '24h': 4 },
          seen: { ...KNOWN.seen, devices: false, ips: false, countries: false },
        },
        ip: { country: 'RO', asn: 9009, network: 'hosting' },
        ip_history: history(
          0.2,
          {},
          { failed_logins: { '10m': 90, '1h': 400, '24h': 400 }, distinct: { users: 380 }, seen: { users: false } },
        ),
      },
      'failed',
    ),
    decisions: STOPPED,
    names: ['failed_login_burst', 'anonymous_ip', 'new_device'],
  },
];

export const HONEST: readonly Story[] = [
  {
    title: 'a brand-new user buys something ordinary',
    facts: purchase(),
    decisions: ['allow'],
    names: [],
    below: 30,
  },
  {
    title: 'a new user three minutes after signing up, something ordinary',
    facts: purchase({
      user: history(0.002, {}, { last_event_ms: { signup: NOW_MS - 3 * MINUTE_MS }, seen: KNOWN.seen }),
    }),
    decisions: ['allow'],
    names: ['rapid_signup_purchase'],
    below: 30,
  },
  {
    title: 'an honest traveller: home last night, abroad on mobile this morning',
    facts: purchase({
      user: {
        ...regular,
        last_place: { ...home, at_ms: NOW_MS - 14 * HOUR_MS },
        seen: { ...KNOWN.seen, ips: false, countries: false },
      },
      device: history(200, { within7d: 3, within30d: 9, earlier: 60 }, KNOWN),
      ip: { country: 'JP', asn: 9605, network: 'mobile' },
    }),
    decisions: ['allow'],
    names: ['ip_mismatch'],
    never: ['impossible_travel', 'new_device'],
    below: 30,
  },
  {
    title: 'an honest big spender with history',
    facts: purchase(
      {
        user: history(
          400,
          { within7d: 2, within30d: 6, earlier: 80, eachUsd: 2800 },
          { ...KNOWN, last_place: home, labels: { fraud: 0, legitimate: 3 } },
        ),
        device: history(400, { within7d: 2, within30d: 6, earlier: 80, eachUsd: 2800 }, KNOWN),
        ip_history: history(300, { within7d: 2, within30d: 6, earlier: 70, eachUsd: 2800 }, KNOWN),
      },
      { amount: 5200 },
    ),
    decisions: ['allow'],
    names: [],
    never: ['amount_anomaly', 'first_use_high_amount'],
    below: 10,
  },
  {
    title: 'an office: thirty colleagues on one IP address',
    facts: purchase({
      user: { ...regular },
      device: history(90, { within7d: 2, within30d: 4, earlier: 8 }, KNOWN),
      ip_history: history(
        300,
        { within10m: 3, within1h: 4, within24h: 20, within7d: 120, within30d: 600, earlier: 4000 },
        { distinct: { users: 30, devices: 34, cards: 30 }, seen: KNOWN.seen },
      ),
    }),
    decisions: ['allow'],
    names: ['shared_ip'],
    never: ['velocity_spike', 'card_testing_pattern'],
    below: 20,
  },
  {
    title: 'an honest payer who retries three times',
    facts: purchase({
      user: history(100, { within10m: 3, within30d: 5, earlier: 10 }, KNOWN),
      device: history(100, { within10m: 3, within30d: 5, earlier: 10 }, KNOWN),
      ip_history: history(100, { within10m: 3, within30d: 5, earlier: 10 }, KNOWN),
    }),
    decisions: ['allow'],
    names: ['velocity_spike'],
    never: ['card_testing_pattern'],
    below: 20,
  },
  {
    title: 'a signup from a busy IP address',
    facts: event('signup', {
      ip_history: history(
        300,
        { within24h: 20, within30d: 600, earlier: 4000 },
        { distinct: { users: 200, devices: 210 }, seen: { users: false } },
      ),
    }),
    decisions: ['allow'],
    names: ['shared_ip'],
    below: 15,
  },
  {
    title: 'a regular on a new phone',
    facts: purchase({
      user: { ...regular, seen: { ...KNOWN.seen, devices: false } },
      device: NEVER_SEEN,
    }),
    decisions: ['allow'],
    names: ['new_device'],
    below: 20,
  },
  {
    title: 'a forgotten password, reset on the old laptop, then the weekly order',
    facts: purchase({
      user: {
        ...regular,
        failed_logins: { '10m': 3, '1h': 3, '24h': 3 },
        last_event_ms: { password_reset: NOW_MS - 20 * MINUTE_MS, signup: NOW_MS - 200 * DAY_MS },
      },
      device: history(200, { within7d: 3, within30d: 9, earlier: 60 }, KNOWN),
    }),
    decisions: ['allow'],
    names: ['password_reset_then_purchase'],
    never: ['failed_login_burst', 'rapid_signup_purchase'],
    below: 20,
  },
];
