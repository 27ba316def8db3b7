import { all, atLeast, atMost } from '../condition';
import { count, ordinal, price } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

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
