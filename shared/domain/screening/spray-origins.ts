import { all, atLeast, type Condition, isTrue, not } from './condition';
import { deviceIsNew, deviceIsYoung } from './device-is-new';

/** Known since before today: a thief who has just got in is seen there, too, but only since then. */
const isKnown = atLeast('user_age_days', 1);
const isAtHome = all(isKnown, isTrue('user_ip_seen'), not(deviceIsNew));
const isOnOwnDevice = all(isKnown, isTrue('user_device_seen'), not(deviceIsYoung));

/** Where passwords can be tried from, in words, and when a user is at home there. */
export const SPRAY_ORIGINS = [
  ['ip', 'IP address', isAtHome],
  ['network', 'network', isAtHome],
  ['device', 'device', isOnOwnDevice],
] as const satisfies ReadonlyArray<readonly ['ip' | 'network' | 'device', string, Condition]>;

export type SprayOrigin = (typeof SPRAY_ORIGINS)[number];
