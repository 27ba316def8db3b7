import { all, any, atLeast, between, type Condition, isFalse } from './condition';

const MOMENT_DAYS = 1e-9;

/** The device was first seen less than a day ago, while the user has been known for longer. */
export const deviceIsYoung: Condition = all(between('device_age_days', MOMENT_DAYS, 1), atLeast('user_age_days', 3));

/**
 * A device that this user was never seen on, or a young one: a thief who logs in first has already made the device
 * "seen" by the time of the purchase.
 */
export const deviceIsNew: Condition = any(isFalse('user_device_seen'), deviceIsYoung);
