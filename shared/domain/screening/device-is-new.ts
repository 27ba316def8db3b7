import { all, any, atLeast, between, type Condition, isFalse } from './condition';

const MOMENT_DAYS = 1e-9;

/** Nobody was seen on it before yesterday, while the user is older than that. */
export const deviceIsYoung: Condition = all(between('device_age_days', MOMENT_DAYS, 1), atLeast('user_age_days', 3));

/**
 * A device that this user was never seen on, or a young one: a thief who logs in first has made his device "seen" by
 * the time he buys.
 */
export const deviceIsNew: Condition = any(isFalse('user_device_seen'), deviceIsYoung);
