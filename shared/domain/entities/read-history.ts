import {
  amountCurrency,
  hourSlot,
  isFailedLogin,
  isTransaction,
  LIFETIME_COUNT_DIGITS,
  windowCents,
} from './attempt-delta';
import { counterOf, type EntityItem, membersOf, textOf } from './attribute-value';
import { distinctEstimate, memberOf, setName, union, unionSize } from './distinct-sets';
import {
  CHANGE_NAMES,
  DEVICE_SLOTS,
  EVENT_GROUPS,
  HOUR_GROUPS,
  KIND,
  type KindSpec,
  logsName,
  NAME,
  totalName,
} from './entity-attributes';
import {
  type AmountStats,
  type Attempt,
  type Counterpart,
  type EntityHistory,
  type EntityKind,
  EVENT_ACTIONS,
  type EventAction,
  type Place,
  type Window,
} from './entity-history';
import { fraudSinceMs } from './fraud-streak';
import { surveyItem } from './item-size';
import { amountStats, hundredths, NO_AMOUNTS } from './log-amounts';
import { centsOf, countOf, unpackQuarters } from './packed-number';
import { recentDevice } from './recent-device';
import {
  bucketIndex,
  FAILED_LOGIN_LEVELS,
  LABEL_WINDOW_LEVELS,
  type Level,
  namesAt,
  oldestShare,
  TRANSACTION_LEVELS,
} from './time-buckets';

/** An attempt that the item already holds and that has to be taken out; undefined in the ordinary case. */
type Own = Attempt | undefined;

interface WindowCount {
  readonly count: number;
  readonly amount_usd: number;
}

function windowCount(item: EntityItem, level: Level, atMs: number, own: Own): WindowCount {
  const names = namesAt(level, bucketIndex(level, atMs));
  const firstSeenMs = counterOf(item[NAME.firstSeen]);
  let count = own === undefined ? 0 : -1;
  let cents = own === undefined ? 0 : -windowCents(own);
  for (let age = 0; age < level.live; age++) {
    const value = item[names[age] ?? ''];
    if (value === undefined) continue;
    const share = age === level.live - 1 ? oldestShare(level, atMs, firstSeenMs) : 1;
    count += share * countOf(value, level.countDigits);
    cents += share * centsOf(value, level.countDigits);
  }
  return { count: Math.max(0, count), amount_usd: Math.max(0, cents) / 100 };
}

function readTransactions(item: EntityItem, atMs: number, own: Own): EntityHistory['transactions'] {
  const mine = own !== undefined && isTransaction(own) ? own : undefined;
  const windows = {} as Record<Window, WindowCount>;
  for (const level of TRANSACTION_LEVELS) windows[level.window] = windowCount(item, level, atMs, mine);
  const lifetime = countOf(item[NAME.lifetime], LIFETIME_COUNT_DIGITS);
  return { total: Math.max(0, lifetime - (mine === undefined ? 0 : 1)), windows };
}

function readEvents(item: EntityItem, own: Own): EntityHistory['events'] {
  const by_type: Partial<Record<EventAction, number>> = {};
  let total = 0;
  for (let group = 0; group < EVENT_GROUPS.length; group++) {
    const name = EVENT_GROUPS[group] ?? '';
    if (item[name] === undefined) continue;
    const counters = unpackQuarters(item[name]);
    for (let quarter = 0; quarter < 4; quarter++) {
      const action = EVENT_ACTIONS[group * 4 + quarter];
      const count = (counters[quarter] ?? 0) - (own !== undefined && own.action === action ? 1 : 0);
      if (action === undefined || count <= 0) continue;
      by_type[action] = count;
      total += count;
    }
  }
  return { total, by_type };
}

function readFailedLogins(spec: KindSpec, item: EntityItem, atMs: number, own: Own): EntityHistory['failed_logins'] {
  const counts = { '10m': 0, '1h': 0, '24h': 0 };
  if (!spec.failedLogins) return counts;
  const mine = own !== undefined && isFailedLogin(own) ? 1 : 0;
  const firstSeenMs = counterOf(item[NAME.firstSeen]);
  for (const level of FAILED_LOGIN_LEVELS) {
    const names = namesAt(level, bucketIndex(level, atMs));
    let count = -mine;
    for (let age = 0; age < level.live; age++) {
      const share = age === level.live - 1 ? oldestShare(level, atMs, firstSeenMs) : 1;
      count += share * counterOf(item[names[age] ?? '']);
    }
    counts[level.window as keyof typeof counts] = Math.max(0, count);
  }
  return counts;
}

function readHours(item: EntityItem, own: Own): readonly number[] {
  const hours = [...unpackQuarters(item[HOUR_GROUPS[0]]), ...unpackQuarters(item[HOUR_GROUPS[1]])];
  if (own !== undefined) {
    const slot = hourSlot(own.at_ms);
    hours[slot] = Math.max(0, (hours[slot] ?? 0) - 1);
  }
  return hours;
}

const NETWORK = { o: 'other', h: 'hosting', m: 'mobile' } as const;

function readPlace(item: EntityItem): Place | undefined {
  const text = textOf(item[NAME.place]);
  if (text === undefined) return undefined;
  const network = NETWORK[text.charAt(2) as keyof typeof NETWORK] ?? 'other';
  return { country: text.slice(0, 2), network, at_ms: Number.parseInt(text.slice(3), 36) };
}

const CHANGES = Object.entries(CHANGE_NAMES) as ReadonlyArray<[EventAction, string]>;

function readChanges(item: EntityItem): EntityHistory['last_event_ms'] {
  const times: Partial<Record<EventAction, number>> = {};
  for (const [action, name] of CHANGES) {
    const value = item[name];
    if (value !== undefined) times[action] = counterOf(value) * 1000;
  }
  return times;
}

function readCurrencies(item: EntityItem, own: Own): Readonly<Record<string, AmountStats>> {
  const amounts: Record<string, AmountStats> = {};
  const ownCurrency = own === undefined || !isTransaction(own) ? undefined : amountCurrency(own);
  for (const currency of surveyItem(item).currencies) {
    const name = logsName(currency);
    const mine = own?.amount !== undefined && currency === ownCurrency ? hundredths(own.amount) : undefined;
    const stats = amountStats(item[name], counterOf(item[totalName(currency)]), mine);
    if (stats !== undefined) amounts[currency] = stats;
  }
  // A sum over different currencies means nothing, so folded ones have none.
  const others = amountStats(item[NAME.otherCurrencies], 0, undefined);
  if (others !== undefined) amounts[OTHER_CURRENCIES] = others;
  return amounts;
}

/** The member of `amounts_by_currency` under which rare currencies of a user with many are folded together. */
export const OTHER_CURRENCIES = 'other';

function readDollars(spec: KindSpec, item: EntityItem, own: Own): AmountStats {
  if (!spec.dollarLogs) return NO_AMOUNTS;
  const mine = own?.amount_usd !== undefined && isTransaction(own) ? own.amount_usd : undefined;
  const stats = amountStats(item[NAME.logsUsd], 0, mine === undefined ? undefined : hundredths(mine));
  if (stats === undefined) return NO_AMOUNTS;
  const cents = centsOf(item[NAME.lifetime], LIFETIME_COUNT_DIGITS);
  const ownCents = own === undefined || mine === undefined ? 0 : windowCents(own);
  return { ...stats, total: Math.max(0, cents - ownCents) / 100 };
}

const NO_RECENT_LABELS: EntityHistory['recent_labels'] = {
  '1d': { fraud: 0, labelled: 0 },
  '7d': { fraud: 0, labelled: 0 },
  '30d': { fraud: 0, labelled: 0 },
};

function readRecentLabels(item: EntityItem, atMs: number): EntityHistory['recent_labels'] {
  // Most entities never had a label, and none can be recent without a lifetime count.
  if (item[NAME.fraud] === undefined && item[NAME.legitimate] === undefined) return NO_RECENT_LABELS;
  const firstSeenMs = counterOf(item[NAME.firstSeen]);
  const windows = { ...NO_RECENT_LABELS };
  for (const [window, level, live] of LABEL_WINDOW_LEVELS) {
    const names = namesAt(level, bucketIndex(level, atMs));
    let fraud = 0;
    let labelled = 0;
    for (let age = 0; age < live; age++) {
      const value = item[names[age] ?? ''];
      if (value === undefined) continue;
      const share = age === live - 1 ? oldestShare(level, atMs, firstSeenMs, live) : 1;
      fraud += share * centsOf(value, level.countDigits);
      labelled += share * countOf(value, level.countDigits);
    }
    windows[window] = { fraud, labelled };
  }
  return windows;
}

function readDevices(item: EntityItem): EntityHistory['recent_devices'] {
  const devices: EntityHistory['recent_devices'][number][] = [];
  for (const name of DEVICE_SLOTS) {
    const device = recentDevice(item[name]);
    if (device !== undefined) devices.push(device);
  }
  return devices.sort((a, b) => b.last_seen_ms - a.last_seen_ms);
}

interface Counterparts {
  readonly distinct: Partial<Record<Counterpart, number>>;
  readonly seen: Partial<Record<Counterpart, boolean>>;
  readonly countries: readonly string[];
}

function readCounterparts(spec: KindSpec, item: EntityItem, at: Attempt | number): Counterparts {
  const atMs = typeof at === 'number' ? at : at.at_ms;
  const distinct: Partial<Record<Counterpart, number>> = {};
  const seen: Partial<Record<Counterpart, boolean>> = {};
  let countries: readonly string[] = [];
  for (const [counterpart, form] of spec.counterparts) {
    const current = membersOf(item[setName(counterpart, atMs)]);
    const previous = membersOf(item[setName(counterpart, atMs, 1)]);
    distinct[counterpart] = distinctEstimate(unionSize(current, previous, form), form);
    if (counterpart === 'countries') countries = union(current, previous);
    if (typeof at === 'number') continue;
    const own = memberOf(at, counterpart, form);
    if (own !== undefined) seen[counterpart] = current.includes(own) || previous.includes(own);
  }
  return { distinct, seen, countries };
}

const EMPTY: EntityItem = {};
const NO_HOURS: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0];

/**
 * What an entity had lived through before an attempt (or up to a time), from the item as `touchUpdate` returned it.
 * `alreadyCounted` says that the update was refused as a repeat, so that the item holds the attempt: its share of every
 * count and amount is taken out, and the answer ranks the attempt as the first one did. Sets, last place and last seen
 * cannot be taken back: there a repeat reads as already seen, unless the attempt was the entity's first.
 */
export function readHistory(
  kind: EntityKind,
  oldItem: EntityItem | undefined,
  at: Attempt | number,
  alreadyCounted = false,
): EntityHistory {
  const atMs = typeof at === 'number' ? at : at.at_ms;
  const spec = KIND[kind];
  const holdsOwn = alreadyCounted && typeof at !== 'number' ? at : undefined;
  const isFirst = holdsOwn !== undefined && counterOf(oldItem?.[NAME.firstSeen]) === atMs;
  const item = oldItem ?? EMPTY;
  const memory = isFirst ? EMPTY : item;
  return {
    first_seen_ms: counterOf(memory[NAME.firstSeen]) || undefined,
    last_seen_ms: counterOf(memory[NAME.lastSeen]) || undefined,
    transactions: readTransactions(item, atMs, holdsOwn),
    events: readEvents(item, holdsOwn),
    failed_logins: readFailedLogins(spec, item, atMs, holdsOwn),
    last_event_ms: spec.person ? readChanges(memory) : {},
    ...readCounterparts(spec, memory, at),
    last_place: readPlace(memory),
    hours: spec.person ? readHours(item, holdsOwn) : NO_HOURS,
    amounts_by_currency: spec.person ? readCurrencies(item, holdsOwn) : {},
    amounts_usd: readDollars(spec, item, holdsOwn),
    decisions: { review: counterOf(item[NAME.review]), block: counterOf(item[NAME.block]) },
    labels: { fraud: counterOf(item[NAME.fraud]), legitimate: counterOf(item[NAME.legitimate]) },
    recent_labels: readRecentLabels(item, atMs),
    fraud_since_ms: fraudSinceMs(item, atMs),
    recent_devices: spec.person ? readDevices(memory) : [],
  };
}
