import type { EventAction } from '../../domain/entities/entity-history';
import { ENTITY_LIFE_MS } from '../../domain/entities/kind-spec';

/*
 * Every attribute of an entity's item. Names are short because every item stores them and they count towards its size.
 * A name that starts with a lower-case letter is fixed; any other is a time bucket (`time-buckets.ts`) of transactions,
 * failed logins, labels or users whose logins failed.
 *
 *   x0 … x3      hash of a recent attempt's id, by slot: an SDK retry of the same attempt is refused
 *   ttl          seconds; 180 days after the entity was last seen
 *   b, l         first and last seen, ms
 *   f            when an attempt was first allowed, ms; items from before familiarity was earned have it as first seen
 *   p            last location: country, network class, ms in base 36
 *   n            lifetime: cents of a US dollar, then a count of transactions in the last 9 digits
 *   q            logarithms of dollar amounts (`log-amounts.ts`)
 *   tUSD, aUSD   a currency's total in hundredths, and the logarithms of its amounts; `a*` for all folded currencies
 *   e0, e1       events by type, four counters of 7 digits per number
 *   e2 …         events of the account's own types, likewise, by the numbers of these in base 36
 *   h0, h1       earned attempts by three-hour slot of the day, likewise
 *   c1 … c6      when an account-changing event last succeeded, in seconds
 *   dr, db, da   decisions on a user's transactions: review, block, and how many of them a person approved
 *   ds           transactions that were stopped, for entities other than users
 *   s, j         attempts of a user that were stopped: not decided yet, rejected (the domain's `stopped-mark.ts`)
 *   lf, ll       labels: fraud, legitimate
 *   z            the last label: 1 fraud, 0 legitimate
 *   g            when a password spray was last seen, in seconds (`failing-users.ts`)
 *   d0 … d2      recent devices, earned, by hash slot: six characters of hash, then seconds in base 36
 *   r            + a character for the 30-day epoch: when its first fraud was confirmed, in seconds (`fraud-streak.ts`)
 *   dc, do       + three characters for the half day: declined payments, and how many (`decline-sets.ts`)
 *   u v i k m    + a character for the 30-day epoch: users, devices, IPs, countries, cards (`distinct-sets.ts`)
 *   w y          likewise: devices and cards that a user tried, earned or not
 *   g            + a character likewise: a user's largest sums of a day (the domain's `largest-day.ts`)
 *   o            + a list's number in base 36: it is on that list, until this time in ms or, if 0, for ever
 *   sp           over how many shards its attempts are spread (`entity-spread.ts`); on a shard, of its last fold
 *   nw           what folds have added to n, with a count of 12 digits; likewise qn, qs and qq for the parts of q
 *   fv           what folds have taken from all shards so far, like nw; on a shard, as of its last fold
 *   fe           until when evidence of fraud stays of an entity whose user was erased, ms (`fraud-evidence.ts`)
 *   o            alone: the expiry of an item that is on any list, far away; changes with every such change
 *
 * Of a user's item, an attempt writes counts; p, q, t…, a…, h…, d…, f, v, i, k, m and g… are written only when something is
 * earned (`earn-update.ts`). What older items hold under these names counts as earned.
 */
export const NAME = {
  ttl: 'ttl',
  firstSeen: 'b',
  trustedSince: 'f',
  lastSeen: 'l',
  location: 'p',
  lifetime: 'n',
  logsUsd: 'q',
  otherCurrencies: 'a*',
  review: 'dr',
  block: 'db',
  approved: 'da',
  stopped: 'ds',
  undecidedMarks: 's',
  rejectedMarks: 'j',
  fraud: 'lf',
  legitimate: 'll',
  lastLabel: 'z',
  spray: 'g',
  listed: 'o',
  spread: 'sp',
  wideLifetime: 'nw',
  wideLogCount: 'qn',
  wideLogSum: 'qs',
  wideLogSquares: 'qq',
  folds: 'fv',
  evidence: 'fe',
} as const;

export const RECENT_ATTEMPT_NAMES = ['x0', 'x1', 'x2', 'x3'] as const;
export const DEVICE_SLOTS = ['d0', 'd1', 'd2'] as const;
export const EVENT_GROUPS = ['e0', 'e1'] as const;
/** The number that counts events of an account's own type, with three others. */
export const ownEventGroup = (typeNumber: number): string =>
  `e${(EVENT_GROUPS.length + (typeNumber >> 2)).toString(36)}`;
const OWN_EVENTS = /^e([0-9a-z]+)$/;
export function ownEventsFrom(name: string): number | undefined {
  const group = OWN_EVENTS.exec(name)?.[1];
  const from = group === undefined ? -1 : 4 * (Number.parseInt(group, 36) - EVENT_GROUPS.length);
  return from < 0 ? undefined : from;
}
export const HOUR_GROUPS = ['h0', 'h1'] as const;

/** How many of the last digits of `n` are the count. */
export const LIFETIME_COUNT_DIGITS = 9;

export const totalName = (currency: string): string => `t${currency}`;
export const logsName = (currency: string): string => `a${currency}`;
export const currencyOf = (name: string): string | undefined =>
  name.length === 4 && name.charCodeAt(0) === 97 ? name.slice(1) : undefined;

/** Where the time of an account-changing event is kept; other events keep none. */
export const CHANGE_NAMES = {
  signup: 'c1',
  password_reset: 'c2',
  password_change: 'c3',
  email_change: 'c4',
  phone_change: 'c5',
  payout_change: 'c6',
} as const satisfies Partial<Record<EventAction, string>>;

export const expirySeconds = (atMs: number): number => Math.floor((atMs + ENTITY_LIFE_MS) / 1000);

/** Of the items of counters (`counter-item.ts`): one of different values, and the key of the entity whose it is. */
export const COUNTED = { member: 'v', owner: 'ow' } as const;
