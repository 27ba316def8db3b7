import { EVENT_GROUPS, HOUR_GROUPS, KIND, logsName, NAME, totalName } from './entity-attributes';
import { type Attempt, type EntityKind, EVENT_ACTIONS, type EventAction } from './entity-history';
import { hundredths, packLog } from './log-amounts';
import { packOne, packQuarter } from './packed-number';
import { bucketIndex, FAILED_LOGIN_LEVELS, namesAt, TRANSACTION_LEVELS } from './time-buckets';

/** A dollar amount counts in windows up to a million: more would say nothing new and cost a byte in each bucket. */
const MOST_WINDOW_CENTS = 1e8;
export const LIFETIME_COUNT_DIGITS = 9;

/** Cents of a dollar as windows and lifetime count them; 0 where the amount is unknown. */
export const windowCents = (attempt: Attempt): number =>
  attempt.amount_usd === undefined ? 0 : Math.min(MOST_WINDOW_CENTS, Math.round(attempt.amount_usd * 100));

export const isTransaction = (attempt: Attempt): boolean => attempt.action === 'transaction';

export const isFailedLogin = (attempt: Attempt): boolean => attempt.action === 'login' && attempt.outcome === 'failed';

/** The position of an event's type: which group of four counters, and which of them. */
export const eventPosition = (action: EventAction): number => EVENT_ACTIONS.indexOf(action);

/** Which of the eight three-hour slots of the UTC day a time is in. */
export const hourSlot = (atMs: number): number => Math.floor((atMs % 86_400_000) / 10_800_000);

/** The currency under which a user's amount is kept; only three-letter codes are. */
export const amountCurrency = (attempt: Attempt): string | undefined =>
  attempt.amount !== undefined && attempt.currency?.length === 3 ? attempt.currency : undefined;

const LEVELS_IN_DELTA = { transactions: TRANSACTION_LEVELS, failedLogins: FAILED_LOGIN_LEVELS } as const;

function addTransaction(kind: EntityKind, attempt: Attempt, add: (name: string, digits: string) => void): void {
  const { dollarLogs, person } = KIND[kind];
  const cents = windowCents(attempt);
  for (const level of LEVELS_IN_DELTA.transactions) {
    add(namesAt(level, bucketIndex(level, attempt.at_ms))[0] ?? '', packOne(cents, level.countDigits));
  }
  add(NAME.lifetime, packOne(cents, LIFETIME_COUNT_DIGITS));
  if (dollarLogs && attempt.amount_usd !== undefined) add(NAME.logsUsd, packLog(hundredths(attempt.amount_usd)));
  const currency = person ? amountCurrency(attempt) : undefined;
  if (currency === undefined || attempt.amount === undefined) return;
  const own = hundredths(attempt.amount);
  add(totalName(currency), `${own}`);
  add(logsName(currency), packLog(own));
}

function addEvent(kind: EntityKind, attempt: Attempt, add: (name: string, digits: string) => void): void {
  const position = eventPosition(attempt.action as EventAction);
  add(EVENT_GROUPS[position >> 2] ?? '', packQuarter(position));
  if (!KIND[kind].failedLogins || !isFailedLogin(attempt)) return;
  for (const level of LEVELS_IN_DELTA.failedLogins) {
    add(namesAt(level, bucketIndex(level, attempt.at_ms))[0] ?? '', '1');
  }
}

/** Every number an attempt adds to an entity of a kind: what a compensation takes away again. */
export function forEachAddend(kind: EntityKind, attempt: Attempt, add: (name: string, digits: string) => void): void {
  if (isTransaction(attempt)) addTransaction(kind, attempt, add);
  else addEvent(kind, attempt, add);
  if (!KIND[kind].person) return;
  const slot = hourSlot(attempt.at_ms);
  add(HOUR_GROUPS[slot >> 2] ?? '', packQuarter(slot));
}
