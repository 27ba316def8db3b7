import { all, any, atLeast, atMost, between, type Condition, isFalse, isTrue, not } from './condition';

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
