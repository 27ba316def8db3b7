import { type Counterpart, type EntityHistory, WINDOW_MS, type Window } from '../entities/entity-history';
import { isEstablished, isFamiliarAddress, isFamiliarDevice } from '../entities/familiar';
import type { ScreeningFacts } from './screening-facts';

/*
 * Anybody can send somebody else's fingerprint, or try passwords in somebody else's name. On a device that a user earned
 * long ago, what others do is not held against that user: an attempt of this user on this device is counted by both, so
 * there were no more of them than the lower of the two counts.
 */

const WINDOWS = Object.keys(WINDOW_MS) as readonly Window[];
const LOGIN_WINDOWS = ['10m', '1h', '24h'] as const;

/** Whether one was never busier than the other: then the other says nothing about it. Mostly so, and quickly seen. */
function isWithin(one: EntityHistory, other: EntityHistory): boolean {
  for (const window of WINDOWS) {
    const [own, theirs] = [one.transactions.windows[window], other.transactions.windows[window]];
    if (own.count > theirs.count || own.amount_usd > theirs.amount_usd) return false;
  }
  for (const window of LOGIN_WINDOWS) if (one.failed_logins[window] > other.failed_logins[window]) return false;
  return true;
}

/** The lower of two counts, in every window. */
function common(one: EntityHistory, other: EntityHistory | undefined): EntityHistory {
  if (other === undefined || isWithin(one, other)) return one;
  const [mine, theirs] = [one.transactions.windows, other.transactions.windows];
  const lower = (window: Window) => ({
    count: Math.min(mine[window].count, theirs[window].count),
    amount_usd: Math.min(mine[window].amount_usd, theirs[window].amount_usd),
  });
  const fewer = (window: (typeof LOGIN_WINDOWS)[number]) =>
    Math.min(one.failed_logins[window], other.failed_logins[window]);
  return {
    ...one,
    transactions: {
      ...one.transactions,
      windows: { '10m': lower('10m'), '1h': lower('1h'), '24h': lower('24h'), '7d': lower('7d'), '30d': lower('30d') },
    },
    failed_logins: { '10m': fewer('10m'), '1h': fewer('1h'), '24h': fewer('24h') },
  };
}

/** At most so many of a counterpart. */
function limited(history: EntityHistory, counterpart: Counterpart, most: number | undefined): EntityHistory {
  const count = history.distinct[counterpart];
  if (count === undefined || most === undefined || count <= most) return history;
  return { ...history, distinct: { ...history.distinct, [counterpart]: most } };
}

/** A crowd that came after the user: as many users as the device had when the user earned it. */
function familiarDevice(device: EntityHistory, user: EntityHistory): EntityHistory {
  const crowd = user.own_device?.crowd;
  const alone = limited(common(device, user), 'users', crowd === undefined ? undefined : Math.max(1, crowd));
  return limited(alone, 'cards', user.distinct.cards);
}

/** A user on their own device: what was only tried elsewhere does not count. */
function familiarUser(user: EntityHistory): EntityHistory {
  return limited(limited(user, 'devices', user.earned.devices), 'cards', Math.max(1, user.earned.cards));
}

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
  const own = isOnOwnDevice ? device : undefined;
  const address = isFamiliarAddress(user) ? ip_history : undefined;
  const counted = common(common(user, own), address);
  return {
    ...facts,
    user: isOnOwnDevice ? familiarUser(counted) : counted,
    device: own ? familiarDevice(own, user) : device,
    ip_history: address ? limited(common(address, user), 'cards', user.distinct.cards) : ip_history,
  };
}
