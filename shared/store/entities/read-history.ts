import { isFailedLogin, isTransaction, windowCents } from '../../domain/entities/attempt-counts';
import { distinctEstimate, memberOf, unionSize } from '../../domain/entities/counterpart-hashes';
import type {
  AmountStats,
  Attempt,
  EntityHistory,
  EntityKind,
  EventAction,
  LabelCount,
  Location,
} from '../../domain/entities/entity-history';
import { KIND, oldestShare } from '../../domain/entities/kind-spec';
import { counterOf, type EntityItem, type LiveItem, membersOf, textOf } from '../sdk/attribute-value';
import { attemptWrites } from './attempt-writes';
import { readDeclines } from './decline-sets';
import { CHANGE_NAMES, LIFETIME_COUNT_DIGITS } from './entity-attributes';
import { readFailingUsers } from './failing-users';
import { DECLINE_SLOT, EMPTY_READING, type ItemReading, readItem, SET_SLOT, SLOT } from './item-reading';
import { amountStats, centsOf, countOf, hundredths, NO_AMOUNTS, packedParts, quarterAt } from './log-amounts';
import { readFamiliarity } from './read-familiarity';
import {
  FAILED_LOGIN_LEVELS,
  LABEL_WINDOW_LEVELS,
  type Level,
  STOPPED_LEVEL,
  TRANSACTION_LEVELS,
  WIDE_COUNT_DIGITS,
  WIDE_LEVELS,
} from './time-buckets';

/** An attempt that the item already includes and that has to be taken out; usually undefined. */
type Own = Attempt | undefined;

/** When the entity was first seen, and the time it is read for: determines the weight of a window's oldest bucket. */
interface Span {
  readonly firstSeenMs: number;
  readonly atMs: number;
}

interface WindowCount {
  readonly count: number;
  readonly amount_usd: number;
}

interface WindowReading extends WindowCount {
  /** With the whole oldest bucket. */
  readonly most_usd: number;
  /** The highest mean amount of a bucket: who pays a few times a day has mostly one payment in each. */
  readonly largest_usd: number;
}

function readWindow({ values }: ItemReading, level: Level, { atMs, firstSeenMs }: Span, own: Own): WindowReading {
  const newest = SLOT.buckets + level.slot;
  const oldest = newest + level.live - 1;
  const ownCount = own === undefined ? 0 : 1;
  const ownCents = own === undefined ? 0 : windowCents(own);
  let count = 0 - ownCount;
  let cents = 0 - ownCents;
  let most = cents;
  let largest = 0;
  for (let slot = newest; slot <= oldest; slot++) {
    const value = values[slot];
    if (value === undefined) continue;
    const part = packedParts(value, level.countDigits);
    const share = slot === oldest ? oldestShare(level, atMs, firstSeenMs) : 1;
    count += share * part.count;
    cents += share * part.cents;
    most += part.cents;
    const isOwn = slot === newest;
    const others = isOwn ? part.cents - ownCents : part.cents;
    largest = Math.max(largest, others / Math.max(1, isOwn ? part.count - ownCount : part.count));
  }
  return {
    count: Math.max(0, count),
    amount_usd: Math.max(0, cents) / 100,
    most_usd: Math.max(0, most) / 100,
    largest_usd: largest / 100,
  };
}

/** The same of an entity that is or was spread: counts that folds have moved and those that they have not. */
function readSpreadWindow(reading: ItemReading, at: number, span: Span, own: Own): WindowReading {
  const narrow = readWindow(reading, TRANSACTION_LEVELS[at] as Level, span, own);
  const wide = readWindow(reading, WIDE_LEVELS[at] as Level, span, undefined);
  return {
    count: narrow.count + wide.count,
    amount_usd: narrow.amount_usd + wide.amount_usd,
    most_usd: narrow.most_usd + wide.most_usd,
    largest_usd: narrow.largest_usd,
  };
}

const countIn = ({ count, amount_usd }: WindowReading): WindowCount => ({ count, amount_usd });

/** Transactions that were stopped and not approved later: a user's by decision, another entity's in one number. */
const stoppedCount = ({ values }: ItemReading): number =>
  Math.max(
    0,
    counterOf(values[SLOT.review]) +
      counterOf(values[SLOT.block]) +
      counterOf(values[SLOT.stopped]) -
      counterOf(values[SLOT.approved]),
  );

/**
 * Anything from the last day is left out, so that a burst cannot dilute a bad record or earn trust for itself; so is what
 * was stopped. A user's item says how many of the last day were stopped. On other entities they count twice, which makes
 * them a little less established for a day.
 */
function establishedCount(total: number, stopped: number, lastDay: number, stoppedLastDay: number): number {
  // The count of a window is a fractional estimate: what is only partly older does not count as older.
  return Math.max(0, Math.floor(total - stopped - Math.max(0, lastDay - stoppedLastDay)));
}

function readTransactions(reading: ItemReading, span: Span, own: Own): EntityHistory['transactions'] {
  const mine = own !== undefined && isTransaction(own) ? own : undefined;
  const { values } = reading;
  const wide = values[SLOT.wideLifetime];
  const lifetime =
    countOf(values[SLOT.lifetime], LIFETIME_COUNT_DIGITS) + (wide === undefined ? 0 : countOf(wide, WIDE_COUNT_DIGITS));
  const total = Math.max(0, lifetime - (mine === undefined ? 0 : 1));
  const stopped = stoppedCount(reading);
  const windowAt = (at: 0 | 1 | 2 | 3 | 4): WindowReading =>
    wide === undefined
      ? readWindow(reading, TRANSACTION_LEVELS[at], span, mine)
      : readSpreadWindow(reading, at, span, mine);
  const minutes = windowAt(0);
  const hour = windowAt(1);
  const lastDay = windowAt(2);
  const stoppedLastDay = stopped === 0 ? 0 : counted(reading, STOPPED_LEVEL, span, 0);
  return {
    total,
    stopped,
    established: establishedCount(total, stopped, lastDay.count, stoppedLastDay),
    windows: {
      '10m': countIn(minutes),
      '1h': countIn(hour),
      '24h': countIn(lastDay),
      '7d': countIn(windowAt(3)),
      '30d': countIn(windowAt(4)),
    },
    largest_24h_usd: Math.max(minutes.largest_usd, hour.largest_usd, lastDay.largest_usd),
    most_24h_usd: lastDay.most_usd,
  };
}

function counted({ values }: ItemReading, level: Level, { atMs, firstSeenMs }: Span, mine: 0 | 1): number {
  const first = SLOT.buckets + level.slot;
  const oldest = first + level.live - 1;
  let count = -mine;
  for (let slot = first; slot <= oldest; slot++) {
    const value = values[slot];
    if (value === undefined) continue;
    count += (slot === oldest ? oldestShare(level, atMs, firstSeenMs) : 1) * counterOf(value);
  }
  return Math.max(0, count);
}

const failingUsersAt = (reading: ItemReading, at: Attempt | number): EntityHistory['failing_users'] =>
  typeof at === 'number'
    ? readFailingUsers(reading, at, undefined)
    : readFailingUsers(reading, at.at_ms, attemptWrites(at).hashes.users);

const [FAILED_10M, FAILED_1H, FAILED_24H] = FAILED_LOGIN_LEVELS;

function readFailedLogins(reading: ItemReading, span: Span, own: Own): EntityHistory['failed_logins'] {
  const mine = own !== undefined && isFailedLogin(own) ? 1 : 0;
  return {
    '10m': counted(reading, FAILED_10M, span, mine),
    '1h': counted(reading, FAILED_1H, span, mine),
    '24h': counted(reading, FAILED_24H, span, mine),
  };
}

const HOURS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

const readHours = ({ values }: ItemReading): readonly number[] =>
  HOURS.map((slot) => quarterAt(values[SLOT.hours + (slot >> 2)], slot & 3));

const NETWORK = { o: 'other', h: 'hosting', m: 'mobile', r: 'relay' } as const;

function readLocation({ values }: ItemReading): Location | undefined {
  const text = textOf(values[SLOT.location]);
  if (text === undefined) return undefined;
  const network = NETWORK[text.charAt(2) as keyof typeof NETWORK] ?? 'other';
  return { country: text.slice(0, 2), network, at_ms: Number.parseInt(text.slice(3), 36) };
}

const CHANGES = Object.keys(CHANGE_NAMES) as readonly EventAction[];

function readChanges({ values }: ItemReading): EntityHistory['last_event_ms'] {
  const times: Partial<Record<EventAction, number>> = {};
  for (let at = 0; at < CHANGES.length; at++) {
    const value = values[SLOT.changes + at];
    if (value !== undefined) times[CHANGES[at] as EventAction] = counterOf(value) * 1000;
  }
  return times;
}

/** The member of `amounts_by_currency` that combines the rare currencies of a user who has many. */
export const OTHER_CURRENCIES = 'other';

function readCurrencies({ values, currencies }: ItemReading): Readonly<Record<string, AmountStats>> {
  const amounts: Record<string, AmountStats> = {};
  for (const { currency, logs, total } of currencies) {
    const stats = amountStats(logs, counterOf(total), undefined);
    if (stats !== undefined) amounts[currency] = stats;
  }
  // A sum over different currencies means nothing, so the folded ones have no total.
  const others = amountStats(values[SLOT.otherCurrencies], 0, undefined);
  if (others !== undefined) amounts[OTHER_CURRENCIES] = others;
  return amounts;
}

const foldedLogs = (values: ItemReading['values']) => ({
  count: counterOf(values[SLOT.wideLogCount]),
  sum: counterOf(values[SLOT.wideLogSum]),
  squares: counterOf(values[SLOT.wideLogSquares]),
});

function readDollars({ values }: ItemReading, own: Own): AmountStats {
  const mine = own?.amount_usd !== undefined && isTransaction(own) ? own : undefined;
  const ownHundredths = mine?.amount_usd === undefined ? undefined : hundredths(mine.amount_usd);
  const ownTotal = mine === undefined ? 0 : windowCents(mine);
  const cents = centsOf(values[SLOT.lifetime], LIFETIME_COUNT_DIGITS);
  const wide = values[SLOT.wideLifetime];
  if (wide === undefined) return amountStats(values[SLOT.logsUsd], cents, ownHundredths, { ownTotal }) ?? NO_AMOUNTS;
  const all = cents + centsOf(wide, WIDE_COUNT_DIGITS);
  return amountStats(values[SLOT.logsUsd], all, ownHundredths, { ownTotal, folded: foldedLogs(values) }) ?? NO_AMOUNTS;
}

const NO_LABELS: LabelCount = { fraud: 0, labelled: 0 };
const NO_RECENT_LABELS: EntityHistory['recent_labels'] = { '1d': NO_LABELS, '7d': NO_LABELS, '30d': NO_LABELS };

/** When the first fraud of this epoch and the previous one was confirmed: the earlier one counts. */
function readFraudSince({ values }: ItemReading): number | undefined {
  const value = values[SLOT.streaks + 1] ?? values[SLOT.streaks];
  // Most entities never had a fraud, and one that was taken back leaves its time behind.
  return value === undefined || values[SLOT.fraud] === undefined ? undefined : 1000 * counterOf(value);
}

function readLastLabel({ values }: ItemReading): EntityHistory['last_label'] {
  const value = values[SLOT.lastLabel];
  return value === undefined ? undefined : counterOf(value) === 1 ? 'fraud' : 'legitimate';
}

function readRecentLabels({ values }: ItemReading, { atMs, firstSeenMs }: Span): EntityHistory['recent_labels'] {
  // Most entities never had a label, and none can be recent without a lifetime count.
  if (values[SLOT.fraud] === undefined && values[SLOT.legitimate] === undefined) return NO_RECENT_LABELS;
  const windows = { ...NO_RECENT_LABELS };
  for (const [window, level, live] of LABEL_WINDOW_LEVELS) {
    let fraud = 0;
    let labelled = 0;
    for (let age = 0; age < live; age++) {
      const value = values[SLOT.buckets + level.slot + age];
      if (value === undefined) continue;
      const share = age === live - 1 ? oldestShare(level, atMs, firstSeenMs, live) : 1;
      fraud += share * centsOf(value, level.countDigits);
      labelled += share * countOf(value, level.countDigits);
    }
    windows[window] = { fraud, labelled };
  }
  return windows;
}

type Mutable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

/** All members from the start: V8 reads histories of one shape faster. */
const perCounterpart = () => ({
  users: undefined,
  devices: undefined,
  ips: undefined,
  countries: undefined,
  cards: undefined,
});

/** Of both epochs together: how many counterparts there are, and whether the attempt's own is among them. */
function readSets(kind: EntityKind, { values }: ItemReading, at: Attempt | number) {
  const distinct: Mutable<EntityHistory['distinct']> = perCounterpart();
  const seen: Mutable<EntityHistory['seen']> = perCounterpart();
  const hashes = typeof at === 'number' ? undefined : attemptWrites(at).hashes;
  for (const [counterpart, form] of KIND[kind].counterparts) {
    const slot = SET_SLOT[counterpart];
    const current = membersOf(values[slot]);
    const previous = membersOf(values[slot + 1]);
    distinct[counterpart] = distinctEstimate(unionSize(current, previous, form), form);
    const own = hashes && memberOf(hashes, counterpart, form);
    if (own !== undefined) seen[counterpart] = current.includes(own) || previous.includes(own);
  }
  return { distinct, seen };
}

const NOTHING_EARNED = { devices: 0, cards: 0 } as const;
const NO_MARKS: EntityHistory['stopped_marks'] = { undecided: [], rejected: [] };

/** Counterparts that an entity was seen with. Of a user, those that were earned; those only tried count as well. */
function readCounterparts(
  kind: EntityKind,
  reading: ItemReading,
  at: Attempt | number,
): Pick<EntityHistory, 'distinct' | 'seen' | 'tried' | 'earned' | 'own_device' | 'stopped_marks' | 'largest_day'> {
  if (KIND[kind].person) return readFamiliarity(reading, at);
  const { distinct, seen } = readSets(kind, reading, at);
  return { distinct, seen, tried: seen, earned: NOTHING_EARNED, own_device: undefined, stopped_marks: NO_MARKS };
}

/** Items from before familiarity was earned have it where `trusted_since` is now. */
function firstSeen({ values }: ItemReading): number {
  const begun = counterOf(values[SLOT.firstSeen]);
  const trusted = counterOf(values[SLOT.trustedSince]);
  return begun === 0 || (trusted !== 0 && trusted < begun) ? trusted : begun;
}

/**
 * An entity other than a user is trusted since the beginning if nothing it took part in was ever stopped: nothing has to
 * be written for most of them. Otherwise from the first allowed attempt after that.
 */
function trustedSince(kind: EntityKind, { values }: ItemReading, firstSeenMs: number): number {
  const trusted = counterOf(values[SLOT.trustedSince]);
  return trusted !== 0 || KIND[kind].person || values[SLOT.stopped] !== undefined ? trusted : firstSeenMs;
}

const NO_HOURS: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0];
const NO_FAILED_LOGINS: EntityHistory['failed_logins'] = { '10m': 0, '1h': 0, '24h': 0 };
const NO_CHANGES: EntityHistory['last_event_ms'] = {};
const NO_CURRENCIES: EntityHistory['amounts_by_currency'] = {};

/**
 * An entity's history before an attempt (or up to a time), from the item as `recordAttemptUpdate` returned it.
 * `countedAtMs` means that the update was refused as a repeat of what was counted then, so the item already includes
 * the attempt: its share of every count and amount is taken out, and the attempt ranks as the first one did.
 * Sets and last seen cannot be taken back: there a repeat reads as already seen, unless the attempt was the entity's first.
 */
export function historyOf(
  kind: EntityKind,
  reading: ItemReading,
  at: Attempt | number,
  countedAtMs: number | undefined,
): EntityHistory {
  const { values } = reading;
  const { failedLogins, failingUsers, dollarLogs, person } = KIND[kind];
  const own = countedAtMs === undefined || typeof at === 'number' ? undefined : { ...at, at_ms: countedAtMs };
  const firstSeenMs = firstSeen(reading);
  const span = { firstSeenMs, atMs: typeof at === 'number' ? at : at.at_ms };
  const isFirst = own !== undefined && firstSeenMs === own.at_ms;
  const memory = isFirst ? EMPTY_READING : reading;
  const begunMs = isFirst ? 0 : firstSeenMs;
  const met = readCounterparts(kind, memory, at);
  // Member by member: a spread inside a literal of this size takes longer than reading the item.
  return {
    first_seen_ms: begunMs || undefined,
    last_seen_ms: counterOf(memory.values[SLOT.lastSeen]) || undefined,
    trusted_since_ms: trustedSince(kind, memory, begunMs) || undefined,
    transactions: readTransactions(reading, span, own),
    failed_logins: failedLogins ? readFailedLogins(reading, span, own) : NO_FAILED_LOGINS,
    failing_users: failingUsers ? failingUsersAt(reading, at) : undefined,
    declines: readDeclines(values, DECLINE_SLOT, span.atMs),
    last_event_ms: person ? readChanges(memory) : NO_CHANGES,
    distinct: met.distinct,
    seen: met.seen,
    tried: met.tried,
    earned: met.earned,
    own_device: met.own_device,
    largest_day: met.largest_day,
    stopped_marks: met.stopped_marks,
    last_place: readLocation(memory),
    hours: person ? readHours(reading) : NO_HOURS,
    amounts_by_currency: person ? readCurrencies(reading) : NO_CURRENCIES,
    amounts_usd: dollarLogs ? readDollars(reading, person ? undefined : own) : NO_AMOUNTS,
    decisions: { review: counterOf(values[SLOT.review]), block: counterOf(values[SLOT.block]) },
    labels: { fraud: counterOf(values[SLOT.fraud]), legitimate: counterOf(values[SLOT.legitimate]) },
    recent_labels: readRecentLabels(reading, span),
    fraud_since_ms: readFraudSince(reading),
    last_label: readLastLabel(reading),
  };
}

export const readHistory = (
  kind: EntityKind,
  item: EntityItem | LiveItem | undefined,
  at: Attempt | number,
  countedAtMs?: number,
): EntityHistory => historyOf(kind, readItem(item, typeof at === 'number' ? at : at.at_ms), at, countedAtMs);
