import { isTransaction } from './attempt-delta';
import type { Attempt, EntityHistory } from './entity-history';

/** An account is new for this long after its signup. */
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
