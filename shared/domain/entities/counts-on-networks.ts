import { isFailedLogin } from './attempt-delta';
import type { Attempt, EntityHistory } from './entity-history';

/** What has to be known about an attempt besides itself. */
interface Circumstances {
  /** The user's history before it; undefined if it could not be read. */
  readonly user: EntityHistory | undefined;
  /** Its decision was not `allow`. */
  readonly isStopped: boolean;
}

/**
 * Whether the networks around an attempt's IP count it. Customers at home are most of a carrier's traffic and say nothing
 * about it; counted is what a crowd of stolen or invented users consists of: signups, what was stopped, and attempts
 * from an IP that is new to the user. A phone changes its IP all day, so on mobile networks the last means nothing, except
 * for failed logins.
 */
export const countsOnNetworks = (attempt: Attempt, { user, isStopped }: Circumstances): boolean =>
  isStopped ||
  attempt.action === 'signup' ||
  (user?.seen.ips === false && (attempt.network !== 'mobile' || isFailedLogin(attempt)));
