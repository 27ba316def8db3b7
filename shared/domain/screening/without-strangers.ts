import { formOf } from '../entities/canonical-value';
import { commonAttempts, commonFraud } from '../entities/common-history';
import { isEstablished, isFamiliarAddress, isFamiliarDevice } from '../entities/earning';
import { type Counterpart, type EntityHistory, NEVER_SEEN } from '../entities/entity-history';
import { PERSONAL_KEYS } from './features/counterpart-features';
import type { AttributeFacts, ScreeningFacts } from './screening-facts';

/*
 * Anyone can send someone else's fingerprint, or try passwords in someone else's name. On a device that a user earned
 * long ago, what others do is not held against that user: an attempt of this user on this device is counted by both, so
 * there were no more of them than the lower of the two counts. The same holds for confirmed fraud: what the user has and the
 * device has not was done by a thief on another device; what the device has and the user has not, in another name.
 */

function limited(history: EntityHistory, counterpart: Counterpart, most: number | undefined): EntityHistory {
  const count = history.distinct[counterpart];
  if (count === undefined || most === undefined || count <= most) return history;
  return { ...history, distinct: { ...history.distinct, [counterpart]: most } };
}

/** A crowd that came after the user is ignored: as many users as the device had when the user earned it. */
function familiarDevice(device: EntityHistory, user: EntityHistory): EntityHistory {
  const crowd = user.own_device?.crowd;
  const shared = commonFraud(commonAttempts(device, user), user);
  const alone = limited(shared, 'users', crowd === undefined ? undefined : Math.max(1, crowd));
  return limited(alone, 'cards', user.distinct.cards);
}

/** A user on their own device: attempts elsewhere do not count, and fraud from elsewhere was a thief's. */
function familiarUser(user: EntityHistory, device: EntityHistory | undefined): EntityHistory {
  const own = limited(limited(user, 'devices', user.earned.devices), 'cards', Math.max(1, user.earned.cards));
  return commonFraud(own, device);
}

/** Distinct counts are estimates: 1.008 is one. */
const isOne = (count: number | undefined): boolean => count !== undefined && count < 1.5;

/**
 * A card, an email or a phone that nobody but this user has used: fraud with it was committed in this user's name, and
 * counts on the user's own device only as far as the user's fraud does. If another user has had it too, it is compromised.
 */
const ownAttribute = ({ key, history }: AttributeFacts, user: EntityHistory): AttributeFacts => {
  const isOwn = PERSONAL_KEYS.has(key) && history?.seen.users === true && isOne(history.distinct.users);
  return isOwn ? { key, history: commonFraud(history, user) } : { key, history };
};

/**
 * Typed values prove nothing: anyone can pay with their own card under someone else's email address or phone
 * number and dispute it. On the user's own device and card, only what the user did with it counts.
 */
const typedAttribute = ({ key, history }: AttributeFacts, user: EntityHistory): AttributeFacts => ({
  key,
  history: history && limited(commonFraud(commonAttempts(history, user), user), 'users', 1),
});

/**
 * Absence is information: a device or address that the user always had, and this attempt has not, is like one that nobody
 * has ever seen. Otherwise leaving it out would beat any that a thief could show.
 */
function withAbsent(facts: ScreeningFacts): ScreeningFacts {
  const { attempt, user } = facts;
  if (user === undefined) return facts;
  const isDeviceLeftOut = attempt.device === undefined && user.seen.devices === false;
  const isAddressLeftOut = attempt.ip === undefined && user.seen.ips === false;
  if (!isDeviceLeftOut && !isAddressLeftOut) return facts;
  return {
    ...facts,
    device: isDeviceLeftOut ? (facts.device ?? NEVER_SEEN) : facts.device,
    ip_history: isAddressLeftOut ? (facts.ip_history ?? NEVER_SEEN) : facts.ip_history,
    user: isAddressLeftOut ? { ...user, seen: { ...user.seen, countries: false } } : user,
  };
}

/**
 * The facts without what strangers did with the user's name, device or address. How many users an address has stays as it
 * is: that is weak evidence anyway, and a thief may sit behind the same one.
 */
export function withoutStrangers(known: ScreeningFacts): ScreeningFacts {
  const facts = withAbsent(known);
  const { attempt, user, device, ip_history } = facts;
  if (user === undefined) return facts;
  const isOnOwnDevice = attempt.device !== undefined && isFamiliarDevice(user, attempt.at_ms);
  const isNone =
    attempt.device === undefined && (user.seen.devices === undefined || isFamiliarDevice(user, attempt.at_ms));
  const isDeviceUnknown = isNone && isEstablished(user, attempt.at_ms);
  if (!isOnOwnDevice && !isDeviceUnknown) return facts;
  const own = isOnOwnDevice ? device : undefined;
  const address = isFamiliarAddress(user) ? ip_history : undefined;
  const counted = commonAttempts(commonAttempts(user, own), address);
  const self = isOnOwnDevice ? familiarUser(counted, device) : counted;
  const isStolenFrom = self.labels.fraud < user.labels.fraud;
  const isProven = user.seen.cards !== false && (isOnOwnDevice || address !== undefined);
  const attributes: AttributeFacts[] = [];
  for (const each of facts.attributes) {
    if (isProven && formOf(each.key) !== 'text') attributes.push(typedAttribute(each, self));
    else attributes.push(isStolenFrom ? ownAttribute(each, self) : each);
  }
  return {
    ...facts,
    user: self,
    attributes,
    device: own ? familiarDevice(own, user) : device,
    ip_history: address ? limited(commonAttempts(address, user), 'cards', user.distinct.cards) : ip_history,
  };
}
