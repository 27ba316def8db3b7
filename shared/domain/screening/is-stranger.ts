import { all, atLeast, type Condition, isFalse, isTrue, not } from './condition';

/** Known for a week and on a device of their own: an IP address that is new to them is not suspicious by itself. */
const isAtHomeOnTheDevice = all(isTrue('user_device_seen'), atLeast('user_age_days', 7));

/**
 * Somebody who was never seen at this IP address, nor is otherwise at home: only they can be part of a crowd that moves
 * through a network. A regular customer of a carrier must not pay for what happens elsewhere in it.
 */
export const isStranger: Condition = all(isFalse('user_ip_seen'), not(isAtHomeOnTheDevice));
