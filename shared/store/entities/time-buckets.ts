import { type LabelWindow, WINDOW_MS, type Window } from '../../domain/entities/entity-history';
import { type BucketedWindow, bucketIndex } from '../../domain/entities/kind-spec';

/*
 * The buckets of a window (the domain's `kind-spec.ts`) are attributes named after their time. ADD changes only the
 * current bucket of each level.
 */

/** Attribute names end in these; the first 40 of them may also start one (never a lower-case letter). */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~abcdefghijklmnopqrstuvwxyz!$%&()*+,/:;<=>?@[]^`{|}';
const BASE = CHARACTERS.length;
const FIRST_CHARACTERS = 40;
/** Three characters are nearly used up: names of four start with this one and then count from zero again. */
const FOURTH = '!';
type NameLength = 2 | 3 | 4;

/**
 * Names repeat after this time. Stale names older than STALE_TRIM_MS are trimmed at the next attempt, and an entity
 * lives 180 days after its last: 80 + 180 days, plus ten for a late TTL, so a name never returns with old contents.
 */
const RING_MS = 270 * 86_400_000;
export const STALE_TRIM_MS = 80 * 86_400_000;

interface Remembered {
  index: number;
  names: readonly string[];
}

export interface Level extends BucketedWindow {
  readonly window: Window;
  /** Digits of the count next to the amount: room for 166, 166, 57, 66 and 154 attempts per second. */
  readonly countDigits: number;
  readonly ring: number;
  readonly characters: NameLength;
  /** Where the level's names start among all names of the same length. */
  readonly offset: number;
  /** Where its live buckets start among those of all levels. */
  readonly slot: number;
  /** Names of the last bucket asked for: two attempts in a row mostly fall into the same bucket. */
  readonly remembered: Remembered;
}

const nextOffset = { 2: 0, 3: 0, 4: 0 };
let nextSlot = 0;

function level(window: Window, parts: number, countDigits: number, characters: NameLength): Level {
  const bucketMs = WINDOW_MS[window] / parts;
  const ring = Math.ceil(RING_MS / bucketMs);
  const offset = nextOffset[characters];
  nextOffset[characters] += ring;
  const live = parts + 1;
  const slot = nextSlot;
  nextSlot += live;
  return {
    window,
    bucketMs,
    live,
    countDigits,
    ring,
    characters,
    offset,
    slot,
    remembered: { index: -1, names: [] },
  };
}

/** Transactions: four or five parts per window, because the item has no room for more than 28 buckets. */
export const TRANSACTION_LEVELS: readonly [Level, Level, Level, Level, Level] = [
  level('10m', 5, 5, 3),
  level('1h', 5, 5, 3),
  level('24h', 5, 6, 2),
  level('7d', 4, 7, 2),
  level('30d', 4, 8, 2),
];

/** Failed logins are rare and only bursts of them matter: two parts per window. */
export const FAILED_LOGIN_LEVELS: readonly [Level, Level, Level] = [
  level('10m', 2, 0, 3),
  level('1h', 2, 0, 3),
  level('24h', 2, 0, 2),
];

/**
 * Labels by the time they became known, fraud next to all of them: days serve the windows of 1 and 7 days. New levels
 * come last, because the names of the levels above must not change.
 */
const LABEL_DAYS = level('7d', 7, 7, 2);
const LABEL_MONTH = level('30d', 3, 7, 2);
export const LABEL_LEVELS: readonly Level[] = [LABEL_DAYS, LABEL_MONTH];
/** Which level counts a window of labels, and how many of its buckets the window can overlap. */
export const LABEL_WINDOW_LEVELS: ReadonlyArray<readonly [LabelWindow, Level, number]> = [
  ['1d', LABEL_DAYS, 2],
  ['7d', LABEL_DAYS, LABEL_DAYS.live],
  ['30d', LABEL_MONTH, LABEL_MONTH.live],
];

/** Users whose logins failed, in sets of five minutes (`failing-users.ts`): only the newest two are read. */
export const FAILING_USERS_LEVEL = level('10m', 2, 0, 4);

/** A user's stopped transactions of the last day, in the buckets of all transactions: the difference was not stopped. */
export const STOPPED_LEVEL: Level = level('24h', 5, 0, 3);

/**
 * Transactions of an entity that is or was spread over shards (`fold-updates.ts`), in the order of `TRANSACTION_LEVELS`:
 * the same buckets with room for a trillion each. Their names are longer, and only such entities have them.
 */
export const WIDE_COUNT_DIGITS = 12;
export const WIDE_LEVELS: readonly Level[] = [
  level('10m', 5, WIDE_COUNT_DIGITS, 4),
  level('1h', 5, WIDE_COUNT_DIGITS, 4),
  level('24h', 5, WIDE_COUNT_DIGITS, 4),
  level('7d', 4, WIDE_COUNT_DIGITS, 4),
  level('30d', 4, WIDE_COUNT_DIGITS, 4),
];

export const LEVELS: readonly Level[] = [
  ...TRANSACTION_LEVELS,
  ...FAILED_LOGIN_LEVELS,
  ...LABEL_LEVELS,
  FAILING_USERS_LEVEL,
  STOPPED_LEVEL,
  ...WIDE_LEVELS,
];
export const LIVE_BUCKETS = nextSlot;

export function bucketName(of: Level, index: number): string {
  const code = of.offset + (((index % of.ring) + of.ring) % of.ring);
  const last = CHARACTERS.charAt(code % BASE);
  const rest = Math.floor(code / BASE);
  if (of.characters === 2) return CHARACTERS.charAt(rest) + last;
  const three = CHARACTERS.charAt(Math.floor(rest / BASE)) + CHARACTERS.charAt(rest % BASE) + last;
  return of.characters === 3 ? three : FOURTH + three;
}

/** Names of the live buckets, newest first, then of those just gone stale; cached until the bucket changes. */
export function namesAt(of: Level, index: number): readonly string[] {
  const { remembered } = of;
  if (remembered.index === index) return remembered.names;
  const passed = index - remembered.index;
  remembered.names = Array.from({ length: of.live + 2 }, (_, age) =>
    passed > 0 && age >= passed ? (remembered.names[age - passed] as string) : bucketName(of, index - age),
  );
  remembered.index = index;
  return remembered.names;
}

/** Value of a character by its code; −1 if it is not one of ours. */
const VALUE_OF_CODE = Int8Array.from({ length: 128 }, (_, code) => CHARACTERS.indexOf(String.fromCharCode(code)));

/** A bucket this far ahead of an attempt is not stale: the attempt arrived late. */
const AHEAD_MS = 86_400_000;

/**
 * The age in ms of a bucket that has left its window; 0 while it is inside or ahead; undefined if the name is not that
 * of a bucket.
 */
export function staleAgeMs(name: string, atMs: number): number | undefined {
  const start = name.length === 4 ? 1 : 0;
  if (name.length < 2 || name.length > 4 || (start === 1 && name.charAt(0) !== FOURTH)) return undefined;
  const first = VALUE_OF_CODE[name.charCodeAt(start)] ?? -1;
  if (first < 0 || first >= FIRST_CHARACTERS) return undefined;
  let code = first;
  for (let at = start + 1; at < name.length; at++) code = code * BASE + (VALUE_OF_CODE[name.charCodeAt(at)] ?? 0);
  for (const of of LEVELS) {
    if (of.characters !== name.length || code < of.offset || code >= of.offset + of.ring) continue;
    const age = (((bucketIndex(of, atMs) - (code - of.offset)) % of.ring) + of.ring) % of.ring;
    return age < of.live || age >= of.ring - Math.ceil(AHEAD_MS / of.bucketMs) ? 0 : age * of.bucketMs;
  }
  return undefined;
}
