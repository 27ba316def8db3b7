import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { NetworkClass } from '../../../shared/domain/ip/ip-table';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import {
  amounts,
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
import { DAY, HOUR, IP, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';
import { FRAUD, HONEST, type Story } from './stories';

describe('signals', () => {
  interface Example {
    readonly signal: string;
    /** Facts that must show it, with a piece of the sentence. */
    readonly fires: ReadonlyArray<readonly [ScreeningFacts, string]>;
    /** Facts that come close and must not. */
    readonly silent: readonly ScreeningFacts[];
  }

  const known = (more: Parameters<typeof history>[2] = {}) =>
    history(100, { within30d: 10, earlier: 20 }, { ...KNOWN, ...more });
  /** A user who has had the device for so many days. */
  const since = (days: number) => known({ own_device: { text: 'AAA', since_ms: NOW_MS - days * DAY_MS, crowd: 1 } });
  const fraudulent = (fraud: number, legitimate = 0) => known({ labels: { fraud, legitimate } });
  /** A card that so many others have used. */
  const card = (users: number, more: Parameters<typeof history>[2] = {}) => ({
    key: 'card_fingerprint',
    history: history(20, {}, { distinct: { users }, seen: { users: false }, ...more }),
  });
  const NO_LABELS = NEVER_SEEN.recent_labels;
  /** So many payments today, on top of those of a known user. */
  const today = (within24h: number, eachUsd: number) => {
    const { windows } = history(0, { within24h, eachUsd }).transactions;
    return { ...known().transactions, windows };
  };
  const distinct = (counts: object) => known({ distinct: { ...KNOWN.distinct, ...counts } });
  /** A device on which one other user signed up, so many days ago. */
  const signedUpOn = (days: number) => history(days, {}, { distinct: { users: 1 }, seen: { users: false } });
  /** A user who signed up so many milliseconds ago. */
  const signedUp = (agoMs: number) => history(0, {}, { last_event_ms: { signup: NOW_MS - agoMs } });
  /** A network first seen this morning, with seven others in it. */
  const youngNetwork = history(0.5, {}, { distinct: { users: 7 }, seen: { users: false } });
  const from = (country: string, network: NetworkClass = 'other') => ({ country, network });
  const lastIn = (country: string, hoursAgo: number, seen = false) =>
    known({
      last_place: { country, network: 'other', at_ms: NOW_MS - hoursAgo * HOUR_MS },
      seen: { ...KNOWN.seen, ips: seen },
    });

  /** Somebody never seen at this IP address. */
  const stranger = { ...NEVER_SEEN, seen: { ...NEVER_SEEN.seen, ips: false } };
  /** A place where logins of so many users failed in the last five minutes, and perhaps a spray before. */
  const failing = (count: number, sprayMinutesAgo?: number) =>
    known({
      failing_users: {
        count,
        includes_user: false,
        last_spray_ms: sprayMinutesAgo === undefined ? undefined : NOW_MS - sprayMinutesAgo * MINUTE_MS,
      },
    });

  /** Somebody or something with so many cards declined today, one payment each. */
  const declines = (cards: number, more: object = {}) => ({
    declines: { '10m': 1, '1h': cards, '24h': cards, cards, lone_cards: cards, wrong_cvcs: 0, ...more },
  });
  const declined = (cards: number, more: object = {}) => history(0.1, { within24h: cards }, declines(cards, more));
  const DECLINED_OFTEN = declines(5);
  /** A card with wrong CVCs, used by so many people. */
  const guessed = (wrong_cvcs: number, users: number) => [
    {
      key: 'card_fingerprint',
      history: history(0.1, {}, { ...declines(1, { wrong_cvcs }), distinct: { users }, seen: { users: true } }),
    },
  ];

  /** A user with a past, who was so far seen in another country and perhaps on other devices. */
  const abroad = ({ devices = false } = {}) =>
    known({ distinct: { ...KNOWN.distinct, countries: 2 }, seen: { ...KNOWN.seen, countries: false, devices } });

  const EXAMPLES: readonly Example[] = [
    {
      signal: 'velocity_spike',
      fires: [
        [purchase({ user: history(30, { within10m: 6 }) }), '7 transactions in 10 minutes; usual for this user: '],
        [
          purchase({ user: history(30, { within24h: 19, within30d: 29 }) }),
          '20 transactions in 24 hours; usual for this user: ',
        ],
        [purchase({ device: history(30, { within10m: 6 }) }), 'from this device'],
        [
          purchase({ ip_history: history(30, { within10m: 20 }) }),
          '21 transactions in 10 minutes from this IP address',
        ],
        [purchase({ attributes: [{ key: 'card_bin', history: history(30, { within10m: 20 }) }] }), 'tracked attribute'],
        [
          purchase({ network_history: history(0.1, { within10m: 19 }) }),
          '20 transactions in 10 minutes by users new to this network; usual: 1 per day',
        ],
        [
          purchase({ asn_history: history(20, { within10m: 60, within30d: 40 }) }),
          '61 transactions in 10 minutes by users new to their IP addresses from one provider (AS7018)',
        ],
        [
          purchase({ asn_history: history(0.1, { within10m: 30 }), ip: { ...from('US', 'hosting'), asn: 16509 } }),
          'from one provider (AS16509)',
        ],
      ],
      silent: [
        purchase({ network_history: history(0.1, { within10m: 19 }), ip: from('US', 'mobile') }),
        purchase({ network_history: history(0.1, { within10m: 19 }), user: known() }),
        purchase({
          network_history: history(0.1, { within10m: 19 }),
          user: known({ seen: { devices: true, ips: false } }),
        }),
        purchase({ network_history: history(30, { within10m: 19, within30d: 900 }) }),
        purchase({ asn_history: history(0.1, { within10m: 60 }) }),
        purchase({ user: history(30, { within10m: 2 }) }),
        purchase({ user: history(30, { within10m: 6, within30d: 3000 }) }),
        purchase({ ip_history: history(30, { within10m: 20, within30d: 9000 }) }),
      ],
    },
    {
      signal: 'card_testing_pattern',
      fires: [
        [purchase({ user: history(1, { within1h: 5 }, { distinct: { cards: 6 } }) }), '7 cards tried by this user'],
        [purchase({ device: history(1, { within1h: 5 }, { distinct: { cards: 6 } }) }), '7 cards tried on this device'],
        [
          purchase({ user: history(1, { within10m: 8 }) }, { amount: 1 }),
          "Small payment of $1, this user's 9th in 10 minutes",
        ],
        [purchase({ device: history(1, { within10m: 8 }) }, { amount: 2 }), 'from this device in 10 minutes'],
        [purchase({ ip_history: history(1, { within10m: 30 }) }, { amount: 2 }), 'from this IP address in 10 minutes'],
      ],
      silent: [
        purchase({ user: history(1, { within10m: 3 }) }, { amount: 1 }),
        purchase({ user: history(1, { within10m: 8 }) }, { amount: 60 }),
        purchase({ ip_history: history(1, { within10m: 30 }, { distinct: { cards: 30 } }) }, { amount: 60 }),
      ],
    },
    {
      signal: 'ip_mismatch',
      fires: [
        [purchase({ ip: from('FR') }), 'IP address in FR, billing address in US'],
        [purchase({ ip: from('FR', 'mobile') }), '; mobile network'],
        [purchase({ ip: from('FR'), user: known() }), '; this user has been seen there before'],
      ],
      silent: [purchase(), purchase({ ip: undefined }), purchase({ ip: from('FR'), billing_country: undefined })],
    },
    {
      signal: 'new_country',
      fires: [
        [purchase({ ip: from('FR'), billing_country: undefined, user: abroad() }), 'IP address in FR, after '],
        // A first payment of an hour ago made neither the device nor the country theirs.
        [
          purchase({
            ip: from('FR'),
            billing_country: undefined,
            user: { ...abroad({ devices: true }), own_device: since(1 / 24).own_device },
          }),
          'IP address in FR, after ',
        ],
      ],
      silent: [
        // There is a billing address to compare with.
        purchase({ ip: from('FR'), user: abroad() }),
        // Somebody who travels, a phone that roams, a newcomer.
        purchase({ ip: from('FR'), billing_country: undefined, user: abroad({ devices: true }) }),
        purchase({ ip: from('FR', 'mobile'), billing_country: undefined, user: abroad() }),
        purchase({ ip: from('FR'), billing_country: undefined, user: history(0, {}, {}) }),
      ],
    },
    {
      signal: 'declined_cards',
      fires: [
        [purchase({ user: declined(3) }), '3 cards of this user declined in 24 hours'],
        [purchase({ device: declined(4) }), '4 cards declined on this device in 24 hours'],
        [purchase({ ip_history: declined(6) }), '6 cards declined at this IP address in 24 hours'],
      ],
      silent: [
        purchase({ user: declined(2), device: declined(2) }),
        // Part of what everybody had in that hour.
        purchase({ user: declined(5, { lone_cards: 2 }), device: declined(5, { lone_cards: 2 }) }),
        // On their own device, with their own card.
        purchase({ user: { ...since(30), ...DECLINED_OFTEN, seen: { ...KNOWN.seen, cards: true } } }),
        // An office with many cards, a carrier.
        purchase({ ip_history: { ...declined(6), transactions: history(3, { within24h: 40 }).transactions } }),
        purchase({ ip_history: declined(6), ip: from('US', 'mobile') }),
      ],
    },
    {
      signal: 'cvc_guessing',
      fires: [
        [purchase({ attributes: guessed(5, 1) }), '5 wrong CVCs for this card in 24 hours'],
        [purchase({ attributes: guessed(3, 3) }), '3 wrong CVCs for this card in 24 hours, tried by'],
      ],
      silent: [
        purchase({ attributes: guessed(2, 3) }),
        // The owner, at home, while a thief guesses.
        purchase({
          attributes: guessed(9, 3),
          user: { ...since(30), seen: { ...KNOWN.seen, cards: true } },
        }),
      ],
    },
    {
      signal: 'impossible_travel',
      fires: [
        [purchase({ user: lastIn('AU', 1) }), 'From AU to US in 60 minutes, at least'],
        [event('login', { user: lastIn('AU', 1, true) }), 'but this user has used the IP address before'],
        [purchase({ user: lastIn('AU', 0.1), ip: from('US', 'mobile') }), 'unless the phone is roaming'],
      ],
      silent: [
        purchase({ user: lastIn('AU', 40) }),
        purchase({ user: lastIn('AU', 1), ip: from('US', 'hosting') }),
        purchase({ user: lastIn('US', 0.1) }),
      ],
    },
    {
      signal: 'anonymous_ip',
      fires: [
        [
          purchase({ ip: { ...from('US', 'hosting'), asn: 16509 } }),
          'Data-centre IP (AS16509), typical of proxies, VPNs and bots',
        ],
        [event('login', { ip: from('US', 'hosting'), user: known() }), 'Data-centre IP that this user has used before'],
        [purchase({ ip: { ...from('US'), tor: true } }), 'Exit of the Tor network'],
      ],
      // A relay for everybody is not a hiding place.
      silent: [purchase(), purchase({ ip: from('US', 'mobile') }), purchase({ ip: from('US', 'relay') })],
    },
    {
      signal: 'disposable_email',
      fires: [
        [event('signup', { email: { disposable: true, free: false } }), 'New account with a disposable email address'],
        [
          purchase({ email: { disposable: true, free: false }, user: NEVER_SEEN }),
          'First purchase with a disposable email address',
        ],
      ],
      silent: [
        event('signup', { email: { disposable: false, free: true } }),
        event('login', { email: { disposable: true, free: false } }),
        purchase({ email: { disposable: true, free: false }, user: known() }),
      ],
    },
    {
      signal: 'new_device',
      fires: [
        [
          purchase({ user: known({ seen: { devices: false } }) }),
          'First use of this device after 30 transactions on others',
        ],
        [
          event('login', { user: history(3, {}, { seen: { devices: false } }) }),
          'First use of this device by a user known for 3 days',
        ],
        [
          purchase({ user: history(0.1, {}, { distinct: { devices: 1 }, seen: { devices: false } }) }),
          "First use of this device (the user's 2nd)",
        ],
        [purchase({ user: known(), device: history(0.01) }), 'Device first seen 14 minutes ago, user 100 days ago'],
        [
          purchase({ user: since(0.2) }),
          'This user has had the device for less than a day, and has been known for 100 days',
        ],
        [purchase({ user: since(5) }), 'This user has had the device for 5 days'],
      ],
      silent: [purchase(), purchase({ user: known() }), purchase({ user: undefined }), purchase({ user: since(8) })],
    },
    {
      signal: 'device_switching',
      fires: [[purchase({ user: distinct({ devices: 7 }) }), 'This user has used 7 devices in recent weeks']],
      silent: [purchase({ user: distinct({ devices: 3 }) })],
    },
    {
      signal: 'shared_device',
      fires: [
        [purchase({ device: distinct({ users: 5 }) }), '5 users on this device in recent weeks'],
        [event('signup', { device: signedUpOn(0.01) }), '2nd account on this device, first seen 14 minutes ago'],
      ],
      silent: [
        event('signup', { device: signedUpOn(20) }),
        event('login', { device: signedUpOn(0.01) }),
        purchase({ device: distinct({ users: 2 }) }),
        purchase({ device: { ...distinct({ users: 40 }), labels: { fraud: 0, legitimate: 9 } } }),
      ],
    },
    {
      signal: 'shared_ip',
      fires: [
        [purchase({ ip_history: distinct({ users: 30 }) }), '30 users on this IP address'],
        [purchase({ ip_history: history(0.5, {}, { distinct: { users: 6 }, seen: {} }) }), 'first seen 12 hours ago'],
        [event('signup', { ip_history: distinct({ users: 30 }) }), '30 users on this IP address'],
        [
          purchase({ network_history: history(0.5, {}, { distinct: { users: 19 }, seen: { users: false } }) }),
          '20 users on changing IP addresses of a network first seen within 2 days',
        ],
      ],
      silent: [
        purchase({ network_history: history(30, {}, { distinct: { users: 200 }, seen: { users: false } }) }),
        purchase({ network_history: history(0.5, {}, { distinct: { users: 19 } }), user: known() }),
        purchase({ ip_history: distinct({ users: 30 }), ip: from('US', 'mobile') }),
        purchase({ ip_history: distinct({ users: 5 }) }),
      ],
    },
    {
      signal: 'known_fraud_device',
      fires: [
        [event('signup', { device: fraudulent(2, 1) }), '2 confirmed frauds on this device; 1 confirmed legitimate'],
      ],
      silent: [purchase({ device: fraudulent(0, 5) }), purchase({ user: fraudulent(1) })],
    },
    {
      signal: 'known_fraud_ip',
      fires: [[purchase({ ip_history: fraudulent(3) }), '3 confirmed frauds from this IP address']],
      silent: [purchase({ ip_history: fraudulent(0, 5) })],
    },
    {
      signal: 'amount_anomaly',
      fires: [
        [purchase({ user: known() }, { amount: 2000 }), "$2,000: 50 times this user's usual amount (30 transactions)"],
        [purchase({ user: known() }, { amount: 2000, currency: 'EUR' }), '€2,000 (about $2,300): '],
      ],
      silent: [
        purchase({ user: known() }, { amount: 60 }),
        purchase({}, { amount: 2000 }),
        purchase({ user: history(50, { earlier: 20, eachUsd: 0.5 }) }, { amount: 20 }),
      ],
    },
    {
      signal: 'first_use_high_amount',
      fires: [
        [purchase({}, { amount: 1200 }), 'First purchase: $1,200'],
        [
          purchase({ user: known({ seen: { cards: false } }) }, { amount: 1200 }),
          'First use of this card by this user: $1,200',
        ],
      ],
      silent: [purchase({}, { amount: 120 }), purchase({ user: known() }, { amount: 1200 })],
    },
    {
      signal: 'rapid_signup_purchase',
      fires: [
        [
          purchase({ user: history(0, {}, { last_event_ms: { signup: NOW_MS - 4000 } }) }),
          '4 seconds after signing up',
        ],
      ],
      silent: [
        purchase({ user: history(1, {}, { last_event_ms: { signup: NOW_MS - 5 * HOUR_MS } }) }),
        event('login', { user: history(0, {}, { last_event_ms: { signup: NOW_MS - 4000 } }) }),
      ],
    },
    {
      signal: 'password_reset_then_purchase',
      fires: [
        [purchase({ user: known({ last_event_ms: { password_reset: NOW_MS - 5 * MINUTE_MS } }) }), 'after a password'],
        [
          purchase({ user: known({ last_event_ms: { password_reset: NOW_MS - HOUR_MS }, seen: { devices: false } }) }),
          'on a device new to this user',
        ],
      ],
      silent: [purchase({ user: known({ last_event_ms: { password_reset: NOW_MS - 2 * DAY_MS } }) })],
    },
    {
      signal: 'failed_login_burst',
      fires: [
        [
          event('login', { user: known({ failed_logins: { '10m': 4, '1h': 6, '24h': 6 } }) }, 'failed'),
          '7 failed logins by this user',
        ],
        [event('login', { device: known({ failed_logins: { '10m': 4, '1h': 9, '24h': 9 } }) }), 'on this device'],
        [purchase({ ip_history: known({ failed_logins: { '10m': 4, '1h': 90, '24h': 90 } }) }), 'from this IP address'],
        [
          event('login', { network_history: known({ failed_logins: { '10m': 4, '1h': 59, '24h': 90 } }) }, 'failed'),
          '60 failed logins from this network within an hour',
        ],
      ],
      silent: [
        event(
          'login',
          { network_history: known({ failed_logins: { '10m': 4, '1h': 59, '24h': 90 } }), user: known() },
          'failed',
        ),
        event('login', { user: known({ failed_logins: { '10m': 2, '1h': 2, '24h': 9 } }) }, 'failed'),
      ],
    },
    {
      signal: 'password_spray',
      fires: [
        [
          event('login', { ip_history: failing(14) }, 'failed'),
          'Failed logins of 15 different users from this IP address within 5 minutes',
        ],
        [
          event('login', { network_history: failing(30) }, 'failed'),
          'Failed logins of 31 different users from this network within 5 minutes',
        ],
        [
          event('login', { device: failing(20), user: stranger }),
          'Failed logins of 20 different users from this device within 5 minutes',
        ],
        [purchase({ ip_history: failing(15), user: known() }), 'of 15 different users from this IP address'],
        [
          event('login', { ip_history: failing(3, 20) }, 'failed'),
          'Failed login 20 minutes after a password spray from this IP address',
        ],
      ],
      silent: [
        event('login', { ip_history: failing(13) }, 'failed'),
        event('login', { ip_history: failing(14) }),
        event('login', { ip_history: failing(3, 61) }, 'failed'),
        event('login', { user: { ...stranger, failed_logins: { '10m': 3, '1h': 3, '24h': 3 } } }),
      ],
    },
    {
      signal: 'success_after_spray',
      fires: [
        [event('login', { ip_history: failing(15) }), 'Login during a password spray from the same IP address'],
        [
          event('login', { network_history: failing(0, 40), user: stranger }),
          'Login 40 minutes after a password spray from the same network',
        ],
        [
          purchase({ device: failing(2, 10), user: stranger }),
          'Purchase 10 minutes after a password spray from the same device',
        ],
      ],
      silent: [
        event('login', { ip_history: failing(15) }, 'failed'),
        event('login', { ip_history: failing(14) }),
        event('login', { ip_history: failing(0, 61) }),
        event('signup', { ip_history: failing(15) }),
      ],
    },
    {
      signal: 'extreme_amount',
      fires: [
        [purchase({}, { amount: 25_000, currency: 'EUR' }), '€25,000 (about $29,000) from a user without comparable'],
        [purchase({ user: known() }, { amount: 20_000 }), "$20,000: far beyond anything in this user's history"],
      ],
      silent: [
        purchase({}, { amount: 9_900 }),
        // A business that always buys for such amounts.
        purchase({ user: history(400, { within30d: 6, earlier: 80, eachUsd: 30_000 }, KNOWN) }, { amount: 45_000 }),
        // A car dealer's new customer.
        purchase(
          { attributes: [{ key: 'merchant_id', history: history(90, { earlier: 200, eachUsd: 28_000 }) }] },
          { amount: 35_000 },
        ),
      ],
    },
    {
      signal: 'unusual_hour',
      fires: [
        [
          purchase({ user: known({ hours: [30, 30, 0, 0, 0, 0, 0, 0] }) }),
          "14:00 UTC, when 0% of this user's activity happens",
        ],
      ],
      silent: [purchase({ user: known() }), purchase({ user: history(50, {}, { hours: [9, 0, 0, 0, 0, 0, 0, 0] }) })],
    },
    {
      signal: 'attribute_risk',
      fires: [
        [
          purchase({ attributes: [{ key: 'card_fingerprint', history: fraudulent(1) }] }),
          '1 confirmed fraud with this card_fingerprint; 0 confirmed legitimate',
        ],
        [purchase({ attributes: [{ key: 'merchant_id', history: fraudulent(6, 14) }] }), 'with this merchant_id'],
      ],
      silent: [
        purchase({ attributes: [{ key: 'merchant_id', history: fraudulent(3, 400) }] }),
        purchase({ attributes: [{ key: 'email' }] }),
      ],
    },
    {
      signal: 'prior_fraud',
      fires: [
        [event('payout_change', { user: fraudulent(1) }), '1 confirmed fraud by this user; 0 confirmed legitimate'],
      ],
      silent: [purchase({ user: fraudulent(0, 9) })],
    },
    {
      signal: 'repeats_stopped_attempt',
      fires: [
        [
          purchase({ user: known(), repeats_score: 74 }),
          'Repeats an attempt of this user that was stopped with a score of 74',
        ],
        [event('login', { repeats_score: 61 }), 'stopped with a score of 61'],
      ],
      silent: [purchase({ repeats_score: 0 }), purchase()],
    },
    {
      signal: 'trusted_history',
      fires: [
        [purchase({ user: fraudulent(0, 4) }), '4 confirmed legitimate, no fraud'],
        [purchase({ user: known() }), '30 earlier transactions over 100 days'],
      ],
      silent: [
        purchase(),
        purchase({ user: known({ seen: { devices: false } }) }),
        purchase({ user: fraudulent(1, 4) }),
        purchase({ user: since(1) }),
        purchase({ user: known({ decisions: { review: 0, block: 9 } }) }),
      ],
    },
    {
      signal: 'unverified_agent',
      fires: [
        [purchase({ agent_verified: false, agent_history: known() }), 'agent that did not prove its identity'],
        [event('login', { agent_verified: false }), 'agent that did not prove its identity'],
        [purchase({ agent_verified: false, agent_history: fraudulent(3) }), 'under this name: 3 confirmed frauds'],
      ],
      silent: [purchase({ agent_verified: true, agent_history: fraudulent(3) }), purchase({ agent_history: known() })],
    },
    {
      signal: 'shared_card',
      fires: [
        [purchase({ attributes: [card(4)] }), '5 users with this card in recent weeks'],
        [purchase({ user: known(), attributes: [card(9)] }), '10 users with this card'],
        // A fraud among its reviews is a review less, not the one that makes it a company's card.
        [
          purchase({
            attributes: [
              card(9, {
                labels: { fraud: 1, legitimate: 29 },
                recent_labels: { ...NO_LABELS, '30d': { fraud: 1, labelled: 5 } },
              }),
            ],
          }),
          '10 users with this card',
        ],
      ],
      silent: [
        purchase({ attributes: [card(1)] }),
        // A family, and a company's card that people have looked at.
        purchase({
          user: known(),
          attributes: [{ ...card(4), history: { ...card(4).history, seen: { users: true } } }],
        }),
        purchase({
          attributes: [
            card(20, {
              labels: { fraud: 0, legitimate: 9 },
              recent_labels: { ...NO_LABELS, '30d': { fraud: 0, labelled: 9 } },
            }),
          ],
        }),
      ],
    },
    {
      signal: 'split_payments',
      fires: [
        [
          purchase({ user: history(0, { within24h: 10, eachUsd: 210 }) }, { amount: 210 }),
          '11 payments by this user in 24 hours: about $2,300',
        ],
        [
          purchase({ user: history(3, { within7d: 20, eachUsd: 600 }) }, { amount: 400 }),
          '21 payments by this user in 7 days: about $12,000',
        ],
        [
          purchase({ user: known({ transactions: today(30, 300) }) }, { amount: 300 }),
          '31 payments by this user in 24 hours: about $9,300, which would score 6',
        ],
        // Its user's first payment, at an address where somebody else has paid.
        [
          purchase({ ip_history: history(0, { within24h: 1, eachUsd: 30 }) }, { amount: 4_000 }),
          '2 payments from this IP address in 24 hours: about $4,000',
        ],
      ],
      silent: [
        // A computer and a bag for it; a busy day; a company's usual one.
        purchase({ user: history(0, { within24h: 1, eachUsd: 2_400 }) }, { amount: 90 }),
        purchase({ user: known({ transactions: today(5, 60) }) }, { amount: 60 }),
        purchase({
          user: known({
            transactions: today(8, 300),
            ...{ amounts_usd: amounts(30, 300), amounts_by_currency: {} },
            largest_day: { usual_usd: 2_000, member: 'AAg', step: 33 },
          }),
        }),
      ],
    },
    {
      signal: 'new_account_burst',
      fires: [
        [
          purchase({ user: signedUp(20_000), device: history(30, { within10m: 3 }) }),
          '4 transactions on this device in an hour; this account is 20 seconds old',
        ],
        [
          event('signup', { user: NEVER_SEEN, device: history(30, { within10m: 3 }) }),
          'New account on a device with 3 transactions in the last hour, the last activity 60 seconds ago',
        ],
        [
          purchase({ user: signedUp(20_000), ip_history: history(30, { within10m: 4 }) }),
          '5 transactions at this IP address in an hour; this account is 20 seconds old',
        ],
        [
          purchase({ user: signedUp(20_000), network_history: youngNetwork }),
          '8 users in a network first seen within 2 days; this account is 20 seconds old',
        ],
        [
          purchase({ user: signedUp(20_000), email_pattern_history: history(0.1, { within10m: 2 }) }),
          '3 new accounts bought in an hour under email addresses like this one; it is 20 seconds old',
        ],
        [
          event('signup', { user: NEVER_SEEN, email_pattern_history: history(0.1, { within10m: 4 }) }),
          'New account; 4 others bought in the last hour under email addresses like this one',
        ],
      ],
      silent: [
        purchase({ user: signedUp(20_000), device: history(30, { within24h: 3 }) }),
        purchase({ user: signedUp(20_000), device: history(30, { within10m: 1 }) }),
        purchase({ user: signedUp(2 * HOUR_MS), device: history(30, { within10m: 3 }) }),
        purchase({ user: known(), device: history(30, { within10m: 3 }) }),
        event('login', { user: known(), device: history(30, { within10m: 3 }) }),
        event('signup', { device: history(30, { within10m: 3 }, { labels: { fraud: 0, legitimate: 9 } }) }),
        event('signup', { user: NEVER_SEEN, device: history(30, { within10m: 1 }) }),
        // Three at an address, a busy address, one of a mobile carrier, and somebody who has bought there before.
        purchase({ user: signedUp(20_000), ip_history: history(30, { within10m: 2 }) }),
        purchase({
          user: signedUp(20_000),
          ip_history: history(30, { within10m: 4, within24h: 60, within30d: 2_000 }),
        }),
        purchase({ user: signedUp(20_000), ip_history: history(30, { within10m: 4 }), ip: from('US', 'mobile') }),
        purchase({ user: known(), ip_history: history(30, { within10m: 4 }) }),
        purchase({ user: signedUp(20_000), network_history: youngNetwork, ip: from('US', 'mobile') }),
        purchase({ user: signedUp(20_000), network_history: youngNetwork, ip: from('US', 'hosting') }),
        purchase({ user: known(), network_history: youngNetwork }),
        // Two of a name, a name of which as many come every day, and customers who are not new or have bought already.
        purchase({ user: signedUp(20_000), email_pattern_history: history(0.1, { within10m: 1 }) }),
        purchase({
          user: signedUp(20_000),
          email_pattern_history: history(30, { within10m: 4, within24h: 20, within30d: 500 }),
        }),
        purchase({ user: known(), email_pattern_history: history(0.1, { within10m: 9 }) }),
        purchase({ user: signedUp(2 * HOUR_MS), email_pattern_history: history(0.1, { within10m: 9 }) }),
        event('login', { user: signedUp(2 * HOUR_MS), email_pattern_history: history(0.1, { within10m: 9 }) }),
      ],
    },
  ];

  it('a signup on a shared device weighs less half a day after anybody used it', () => {
    const points = (hoursAgo: number) =>
      contribution(
        event('signup', {
          user: NEVER_SEEN,
          device: history(30, {}, { distinct: { users: 9 }, seen: {}, last_seen_ms: NOW_MS - hoursAgo * HOUR_MS }),
        }),
        'shared_device',
      )?.points ?? 0;
    expect(points(13)).toBeGreaterThan(0);
    expect(points(13)).toBeLessThan(points(11) / 2);
    expect(points(11)).toBe(points(0.1));
  });

  const contribution = (facts: ScreeningFacts, signal: string) =>
    screen(facts, DEFAULT_SETTINGS).explanation.contributions.find((found) => found.signal === signal);

  describe.each(EXAMPLES)('$signal', ({ signal, fires, silent }) => {
    it.each(fires.map(([facts, words]) => [words, facts] as const))('says: … %s …', (words, facts) => {
      const found = contribution(facts, signal);
      expect(found?.detail).toContain(words);
      const isRisk = signal !== 'trusted_history';
      expect(isRisk ? found?.points : -(found?.points ?? 0)).toBeGreaterThan(0);
      expect(screen(facts, DEFAULT_SETTINGS).signals.includes(signal)).toBe(isRisk);
    });

    it('is silent where it comes close', () => {
      for (const facts of silent) expect(contribution(facts, signal)).toBeUndefined();
    });
  });

  describe('the list of signals', () => {
    it('has an example of each, and every name once', () => {
      expect(EXAMPLES.map(({ signal }) => signal).sort()).toEqual(SIGNALS.map(({ name }) => name).sort());
    });

    it('leaves nothing but the base for somebody never seen', () => {
      expect(screen(purchase(), DEFAULT_SETTINGS)).toMatchObject({
        risk_score: 5,
        signals: [],
        explanation: { base: 5, contributions: [] },
        model_version: 'rules-1',
      });
      expect(screen(purchase({ user: NEVER_SEEN, device: undefined }), DEFAULT_SETTINGS).risk_score).toBe(5);
    });
  });
});

describe('reputation', () => {
  /*
   * A confirmed fraud says something about what the thief used. About the user it says as much as about the device they are
   * on: on their own device, on which nothing happened, they are the victim.
   */
  const CARD = { custom_attributes: { card_fingerprint: 'own', email: 'ann@example.com' } };

  async function regularCustomer(shop = shopInMemory()) {
    for (let i = 0; i < 12; i++) {
      await shop.pay('ann', 20 + ((i * 7) % 15), { ...VICTIM, ...CARD });
      shop.pass(3 * DAY);
    }
    return shop;
  }

  it('does not hold a takeover against the victim, who is on their own device with their own card and email', async () => {
    const shop = await regularCustomer();
    const usual = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
    shop.pass(HOUR);
    const stolen = await shop.pay('ann', 900, { ...THIEF, ...CARD });
    await shop.review(stolen, 'block');
    shop.pass(DAY);
    const after = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
    expect(after.automated_decision).toBe('allow');
    expect(after.risk_score).toBeLessThanOrEqual(usual.risk_score + 3);
    expect(after.contributions.map(({ signal }) => signal)).not.toContain('prior_fraud');
  });

  it('raises the device, the card and the name that the thief used, for the thief', async () => {
    const shop = await regularCustomer();
    const stolen = await shop.pay('ann', 900, { ...THIEF, custom_attributes: { card_fingerprint: 'stolen' } });
    await shop.review(stolen, 'block');
    shop.pass(DAY);
    const again = await shop.pay('ann', 25, THIEF);
    expect(again.automated_decision).not.toBe('allow');
    const onDevice = await shop.pay('mule', 25, THIEF);
    expect(onDevice.automated_decision).not.toBe('allow');
    const withCard = await shop.pay('bob', 25, {
      device_fingerprint: 'other',
      ip_address: IP.cafe,
      custom_attributes: { card_fingerprint: 'stolen' },
    });
    expect(withCard.automated_decision).not.toBe('allow');
    // A device that the user never had before counts like the thief's.
    const elsewhere = await shop.pay('ann', 25, { device_fingerprint: 'new', ip_address: IP.farAway });
    expect(elsewhere.automated_decision).not.toBe('allow');
  });

  it("does not hold fraud in another name, with a copied fingerprint, against the fingerprint's owner", async () => {
    const shop = await regularCustomer();
    const copied = await shop.pay('mule', 900, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
    await shop.review(copied, 'block');
    shop.pass(DAY);
    const owner = await shop.pay('ann', 25, { ...VICTIM, ...CARD });
    expect(owner.automated_decision).toBe('allow');
    const mule = await shop.pay('mule', 25, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
    expect(mule.automated_decision).not.toBe('allow');
    const newcomer = await shop.pay('second-mule', 25, { ...THIEF, device_fingerprint: VICTIM.device_fingerprint });
    expect(newcomer.automated_decision).not.toBe('allow');
  });

  it('holds fraud on their own device against the user, and a card that somebody else has used against everybody', async () => {
    const shop = await regularCustomer();
    const own = await shop.pay('ann', 60, { ...VICTIM, ...CARD });
    await shop.review(own, 'block');
    shop.pass(DAY);
    expect((await shop.pay('ann', 25, { ...VICTIM, ...CARD })).automated_decision).not.toBe('allow');

    const other = await regularCustomer();
    const leaked = await other.pay('mule', 300, { ...THIEF, ...CARD });
    await other.review(leaked, 'block');
    other.pass(DAY);
    expect((await other.pay('ann', 25, { ...VICTIM, ...CARD })).automated_decision).not.toBe('allow');
  });
});

describe('stories', () => {
  const check = ({ facts, decisions, names, never = [], below = 101 }: Story): void => {
    const result = screen(facts, DEFAULT_SETTINGS);
    expect(decisions).toContain(result.decision);
    expect(result.signals).toEqual(expect.arrayContaining([...names]));
    for (const name of never) expect(result.signals).not.toContain(name);
    expect(result.risk_score).toBeLessThan(below);
    expect(result.failed_signals).toEqual([]);
    for (const { detail } of result.explanation.contributions) expect(detail).not.toMatch(/NaN|undefined|Infinity/);
  };

  describe('stories of fraud are stopped', () => {
    it.each(FRAUD.map((story) => [story.title, story] as const))('%s', (_, story) => check(story));
  });

  describe('stories of honest people are let through', () => {
    it.each(HONEST.map((story) => [story.title, story] as const))('%s', (_, story) => check(story));
  });
});
