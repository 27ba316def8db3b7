import { isFailedLogin, isTransaction, requestMark, windowCents } from '../../domain/entities/attempt-counts';
import { type CounterpartHashes, counterpartHashes, hash32, hashText } from '../../domain/entities/counterpart-hashes';
import { type Attempt, type EntityKind, EVENT_ACTIONS, type EventAction } from '../../domain/entities/entity-history';
import { bucketIndex, KIND } from '../../domain/entities/kind-spec';
import type { AttributeValue } from '../sdk/attribute-value';
import {
  EVENT_GROUPS,
  expirySeconds,
  LIFETIME_COUNT_DIGITS,
  NAME,
  ownEventGroup,
  RECENT_ATTEMPT_NAMES,
} from './entity-attributes';
import { type FailingUserWrite, failingUserWrite } from './failing-users';
import { hundredths, packLog, packOne, packQuarter } from './log-amounts';
import { FAILED_LOGIN_LEVELS, type Level, namesAt, TRANSACTION_LEVELS } from './time-buckets';

const ATTEMPT_SALT = 0x61747465;
const NETWORK_CHARACTER = { other: 'o', hosting: 'h', mobile: 'm', relay: 'r' } as const;

export interface Addend {
  readonly name: string;
  readonly value: { readonly N: string };
}

/** The writes of an attempt to the entities involved: the same for all, and numbers by the kinds that keep them. */
export interface AttemptWrites {
  /** The slot that remembers the attempt, and the mark that is left in it. */
  readonly recentName: string;
  readonly mark: string;
  /** With an `Idempotency-Key` the mark is what all its repeats share plus the request's own part; else the former. */
  readonly identity: string;
  readonly isRepeatable: boolean;
  readonly at: AttributeValue;
  readonly ttl: AttributeValue;
  readonly location: AttributeValue | undefined;
  readonly hashes: CounterpartHashes;
  readonly all: readonly Addend[];
  readonly failedLogins: readonly Addend[];
  readonly failingUser: FailingUserWrite | undefined;
  readonly dollarLogs: readonly Addend[];
  /** Names that left their window a bucket ago (one of grace, as clocks differ): removing a missing name is free. */
  readonly stale: readonly string[];
}

const NONE: readonly Addend[] = [];
const NO_NAMES: readonly string[] = [];
export const addend = (name: string, N: string): Addend => ({ name, value: { N } });
export const currentName = (level: Level, atMs: number): string => namesAt(level, bucketIndex(level, atMs))[0] ?? '';

const justStaleName = (level: Level, atMs: number): string =>
  namesAt(level, bucketIndex(level, atMs))[level.live + 1] ?? '';

function transactionAddends(attempt: Attempt): readonly Addend[] {
  const cents = windowCents(attempt);
  const addends = [addend(NAME.lifetime, packOne(cents, LIFETIME_COUNT_DIGITS))];
  for (const level of TRANSACTION_LEVELS) {
    addends.push(addend(currentName(level, attempt.at_ms), packOne(cents, level.countDigits)));
  }
  return addends;
}

/** Four counters of events by type share one number. */
function eventAddend({ action, type_number }: Attempt): Addend {
  if (type_number !== undefined) return addend(ownEventGroup(type_number), packQuarter(type_number));
  const position = EVENT_ACTIONS.indexOf(action as EventAction);
  return addend(EVENT_GROUPS[position >> 2] ?? '', packQuarter(position));
}

/** The logarithm of an amount in US dollars. */
export function dollarAddends({ amount_usd }: Pick<Attempt, 'amount_usd'>): readonly Addend[] {
  return amount_usd === undefined ? NONE : [addend(NAME.logsUsd, packLog(hundredths(amount_usd)))];
}

function newWrites(attempt: Attempt): AttemptWrites {
  const { attempt_id, repeat_key, at_ms, country, network = 'other' } = attempt;
  const hash = hash32(repeat_key ?? attempt_id, ATTEMPT_SALT);
  const identity = hashText(hash);
  const isRepeatable = repeat_key !== undefined;
  const isPayment = isTransaction(attempt);
  const hashes = counterpartHashes(attempt);
  return {
    recentName: RECENT_ATTEMPT_NAMES[hash & 3] ?? RECENT_ATTEMPT_NAMES[0],
    mark: isRepeatable ? identity + requestMark(attempt) : identity,
    identity,
    isRepeatable,
    at: { N: `${at_ms}` },
    ttl: { N: `${expirySeconds(at_ms)}` },
    location: country?.length === 2 ? { S: country + NETWORK_CHARACTER[network] + at_ms.toString(36) } : undefined,
    hashes,
    all: isPayment ? transactionAddends(attempt) : [eventAddend(attempt)],
    failedLogins: isFailedLogin(attempt)
      ? FAILED_LOGIN_LEVELS.map((level) => addend(currentName(level, at_ms), '1'))
      : NONE,
    failingUser: failingUserWrite(attempt, hashes.users),
    dollarLogs: isPayment ? dollarAddends(attempt) : NONE,
    stale: isPayment ? TRANSACTION_LEVELS.map((level) => justStaleName(level, at_ms)) : NO_NAMES,
  };
}

/** About four entities record the same attempt in a row: its writes are computed once. */
let latest: { readonly attempt: Attempt; readonly writes: AttemptWrites } | undefined;

export function attemptWrites(attempt: Attempt): AttemptWrites {
  if (latest?.attempt !== attempt) latest = { attempt, writes: newWrites(attempt) };
  return latest.writes;
}

/** Left in the slot of a compensated attempt, so that a retry of the compensation is refused too. */
const UNDONE = '!';

/** A repeat that is taken back leaves what identifies it, so that the next repeat need not be taken back again. */
export function undoneMark(attempt: Attempt): string {
  const { mark, identity, isRepeatable } = attemptWrites(attempt);
  return isRepeatable ? identity + UNDONE + requestMark(attempt) : UNDONE + mark;
}

/** Every number an attempt adds to an entity of a kind, in lists: what a compensation subtracts again. */
export function addendsOf(kind: EntityKind, writes: AttemptWrites): ReadonlyArray<readonly Addend[]> {
  const { failedLogins, dollarLogs, person } = KIND[kind];
  const lists = [writes.all];
  if (failedLogins) lists.push(writes.failedLogins);
  // A user's amounts are earned (`earn-update.ts`).
  if (dollarLogs && !person) lists.push(writes.dollarLogs);
  return lists;
}
