import { all, any, atLeast, atMost, between, type Condition, isFalse, isTrue, not } from './signal-definition';

const MOMENT_DAYS = 1e-9;

/** The device was first allowed less than a day ago, while the user has been known for longer, and nobody confirmed it. */
export const deviceIsYoung: Condition = all(
  between('device_age_days', MOMENT_DAYS, 1),
  atLeast('user_age_days', 3),
  not(atLeast('user_device_days', 7)),
);

/**
 * The user earned the device lately, and had been known for longer: a thief who begins with a small purchase, or just logs
 * in, has earned the device by the time of the large one.
 */
export const deviceIsNewlyEarned: Condition = all(
  isTrue('user_device_seen'),
  any(
    all(atMost('user_device_days', 1), atLeast('user_age_days', 3)),
    all(atMost('user_device_days', 7), atLeast('user_age_days', 8)),
  ),
);

/** A device that this user has not earned, or not long ago. */
export const deviceIsNew: Condition = any(isFalse('user_device_seen'), deviceIsYoung, deviceIsNewlyEarned);

/** Known for a week and on their own device: an IP address that is new to them is not suspicious by itself. */
const isAtHomeOnTheDevice = all(isTrue('user_device_seen'), atLeast('user_age_days', 7));

/**
 * Somebody who was never seen at this IP address, nor is otherwise at home: only they can be part of a crowd that moves
 * through a network. A regular customer of a carrier must not pay for what happens elsewhere in it.
 */
export const isStranger: Condition = all(isFalse('user_ip_seen'), not(isAtHomeOnTheDevice));

/** Known since before today: a thief who just got in is seen there too, but only since then. */
const isKnown = atLeast('user_age_days', 1);
const isAtHome = all(isKnown, isTrue('user_ip_seen'), not(deviceIsNew));
const isOnOwnDevice = all(isKnown, isTrue('user_device_seen'), not(deviceIsYoung));

/** Origins of password guessing, in words, and when a user is at home there. */
export const SPRAY_ORIGINS = [
  ['ip', 'IP address', isAtHome],
  ['network', 'network', isAtHome],
  ['device', 'device', isOnOwnDevice],
] as const satisfies ReadonlyArray<readonly ['ip' | 'network' | 'device', string, Condition]>;

export type SprayOrigin = (typeof SPRAY_ORIGINS)[number];
