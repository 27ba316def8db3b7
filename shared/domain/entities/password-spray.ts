import type { FailingUsers } from './entity-history';

/** People mistype their own password; somebody who fails with this many within `SPRAY_WINDOW_MS` is trying other people's. */
export const SPRAY_USERS = 15;
export const SPRAY_WINDOW_MS = 300_000;
/** A device, IP or network that a spray came from is remembered for this long. */
export const SPRAY_MEMORY_MS = 3_600_000;

/** Different users with a failed login in the last 5 minutes, the attempt's own included if its login failed. */
export const failingUsersNow = ({ count, includes_user }: FailingUsers, isFailedLogin: boolean): number =>
  isFailedLogin && !includes_user ? count + 1 : count;
