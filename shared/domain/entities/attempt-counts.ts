import { hash32, hashText } from './counterpart-hashes';
import type { Attempt, EntityHistory, FailingUsers } from './entity-history';

/** Windows count dollar amounts up to a million: more would say nothing new and cost a byte in each bucket. */
const MOST_WINDOW_CENTS = 1e8;

/** US cents as windows and lifetime totals count them; 0 if the amount is unknown. */
export const windowCents = (attempt: Pick<Attempt, 'amount_usd'>): number =>
  attempt.amount_usd === undefined ? 0 : Math.min(MOST_WINDOW_CENTS, Math.round(attempt.amount_usd * 100));

export const isTransaction = (attempt: Attempt): boolean => attempt.action === 'transaction';

export const isFailedLogin = (attempt: Attempt): boolean => attempt.action === 'login' && attempt.outcome === 'failed';

/** Which of the eight three-hour slots of the UTC day a time falls into. */
export const hourBucket = (atMs: number): number => Math.floor((atMs % 86_400_000) / 10_800_000);

/** The currency under which a user's amount is kept; only three-letter codes are kept. */
export const amountCurrency = (attempt: Attempt): string | undefined =>
  attempt.amount !== undefined && attempt.currency?.length === 3 ? attempt.currency : undefined;

interface Circumstances {
  readonly user: EntityHistory | undefined;
  readonly isStopped: boolean;
}

/** A phone, and who uses a relay, has another address every other minute. */
const isRoaming = ({ network }: Attempt): boolean => network === 'mobile' || network === 'relay';

/**
 * Whether the networks around an attempt's IP count it. Customers at home are most of a carrier's traffic and say nothing
 * about it; counted is what a crowd of stolen or invented users consists of: signups, what was stopped, and attempts
 * from an IP that is new to the user. A phone changes its IP all day, so on mobile networks the last means nothing, except
 * for failed logins.
 */
export const countsOnNetworks = (attempt: Attempt, { user, isStopped }: Circumstances): boolean =>
  isStopped ||
  attempt.action === 'signup' ||
  (user?.seen.ips === false && (!isRoaming(attempt) || isFailedLogin(attempt)));

const NEW_FOR_MS = 3_600_000;

/**
 * Whether the pattern of an email address counts an attempt: the first purchase of an account that signed up within the
 * hour. A wave of accounts consists of these; a customer who buys again, or later, adds nothing to it and costs no write.
 */
export function countsOnPattern(attempt: Attempt, user: EntityHistory | undefined): boolean {
  const signedUpMs = user?.last_event_ms.signup;
  if (user === undefined || signedUpMs === undefined || !isTransaction(attempt)) return false;
  return user.transactions.total === 0 && attempt.at_ms - signedUpMs <= NEW_FOR_MS;
}

/** People mistype their own password; someone who fails with this many users within `SPRAY_WINDOW_MS` is guessing. */
export const SPRAY_USERS = 15;
export const SPRAY_WINDOW_MS = 300_000;
/** A device, IP or network that a spray came from is remembered for this long. */
export const SPRAY_MEMORY_MS = 3_600_000;

/** Different users with a failed login in the last 5 minutes, the attempt's own included if its login failed. */
export const failingUsersNow = ({ count, includes_user }: FailingUsers, isFailedLogin: boolean): number =>
  isFailedLogin && !includes_user ? count + 1 : count;

const REQUEST_SALT = 0x72657175;
const HASH_LENGTH = 3;

/** Distinguishes requests with one `Idempotency-Key`: three characters of hash, then the time of the request. */
export const requestMark = ({ attempt_id, at_ms }: Attempt): string =>
  hashText(hash32(attempt_id, REQUEST_SALT)).slice(0, HASH_LENGTH) + at_ms.toString(36);

/** The time of the request that left this mark. */
export const requestTimeMs = (mark: string): number => Number.parseInt(mark.slice(HASH_LENGTH), 36);
