import { type EntityHistory, WINDOW_MS, type Window } from '../entities/entity-history';
import { isEstablished, isFamiliarAddress, isFamiliarDevice } from '../entities/familiar';
import type { ScreeningFacts } from './screening-facts';

/*
 * Anybody can send somebody else's fingerprint, or try passwords in somebody else's name. On a device that a user earned
 * long ago, what others do is not held against that user: an attempt of this user on this device is counted by both, so
 * there were no more of them than the lower of the two counts.
 */

const WINDOWS = Object.keys(WINDOW_MS) as readonly Window[];

type Counts = Pick<EntityHistory, 'transactions' | 'failed_logins'>;

/** The lower of two counts, in every window. */
function common(one: EntityHistory, others: readonly EntityHistory[]): Counts {
  const lowest = (read: (history: EntityHistory) => number): number =>
    others.reduce((least, other) => Math.min(least, read(other)), read(one));
  const windows = Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        count: lowest(({ transactions }) => transactions.windows[window].count),
        amount_usd: lowest(({ transactions }) => transactions.windows[window].amount_usd),
      },
    ]),
  ) as EntityHistory['transactions']['windows'];
  return {
    transactions: { ...one.transactions, windows },
    failed_logins: {
      '10m': lowest(({ failed_logins }) => failed_logins['10m']),
      '1h': lowest(({ failed_logins }) => failed_logins['1h']),
      '24h': lowest(({ failed_logins }) => failed_logins['24h']),
    },
  };
}

const atMost = (count: number | undefined, most: number | undefined): number | undefined =>
  count === undefined || most === undefined ? count : Math.min(count, most);

/** A crowd that came after the user: as many users as the device had when the user earned it. */
function familiarDevice(device: EntityHistory, user: EntityHistory): EntityHistory {
  const { distinct } = device;
  const crowd = user.own_device?.crowd;
  return {
    ...device,
    ...common(device, [user]),
    distinct: {
      ...distinct,
      users: atMost(distinct.users, crowd === undefined ? undefined : Math.max(1, crowd)),
      cards: atMost(distinct.cards, user.distinct.cards),
    },
  };
}

const isDefined = (history: EntityHistory | undefined): history is EntityHistory => history !== undefined;

/**
 * The facts without what strangers did with the user's name, device or address. How many users an address has stays as it
 * is: that is weak evidence anyway, and a thief may sit behind the same one.
 */
export function withoutStrangers(facts: ScreeningFacts): ScreeningFacts {
  const { attempt, user, device, ip_history } = facts;
  if (user === undefined) return facts;
  const isOnOwnDevice = isFamiliarDevice(user, attempt.at_ms);
  const isDeviceUnknown = attempt.device === undefined && isEstablished(user, attempt.at_ms);
  if (!isOnOwnDevice && !isDeviceUnknown) return facts;
  const address = isFamiliarAddress(user) ? ip_history : undefined;
  const places = [isOnOwnDevice ? device : undefined, address].filter(isDefined);
  if (places.length === 0) return facts;
  const { distinct, earned } = user;
  const own = isOnOwnDevice
    ? { devices: atMost(distinct.devices, earned.devices), cards: atMost(distinct.cards, Math.max(1, earned.cards)) }
    : {};
  return {
    ...facts,
    user: { ...user, ...common(user, places), distinct: { ...distinct, ...own } },
    device: isOnOwnDevice && device ? familiarDevice(device, user) : device,
    ip_history: address
      ? {
          ...address,
          ...common(address, [user]),
          distinct: { ...address.distinct, cards: atMost(address.distinct.cards, distinct.cards) },
        }
      : ip_history,
  };
}
