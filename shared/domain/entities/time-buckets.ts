import { WINDOW_MS, type Window } from './entity-history';

/*
 * A window is counted in buckets of a fraction of its length, each an attribute named after its time:
 *
 *        ┌ oldest, weighted by its overlap      ┌ the attempt
 *   ──┬──┴──┬─────┬─────┬─────┬─────┬─────┬─────▼──
 *     │ ▒▒▒▒│█████│█████│█████│█████│███  │
 *   ──┴─────┴─────┴─────┴─────┴─────┴─────┴────────
 *       └───────────── window ────────────┘
 *
 * ADD touches the current bucket of each level and nothing else. Reading takes the oldest bucket by the share of it
 * that is still inside, so the estimate has no bias.
 */

/** Attribute names end in these; the first 40 of them may also start one (never a lower-case letter). */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~abcdefghijklmnopqrstuvwxyz!$%&()*+,/:;<=>?@[]^`{|}';
const BASE = CHARACTERS.length;

/**
 * Names repeat after this time. What is stale for STALE_TRIM_MS is trimmed at the next touch, and an entity lives 180
 * days after its last: 80 + 180 days, and ten for a late TTL, so a name is never met again with old contents.
 */
const RING_MS = 270 * 86_400_000;
export const STALE_TRIM_MS = 80 * 86_400_000;

/** One resolution in which attempts are counted. */
export interface Level {
  readonly window: Window;
  readonly bucketMs: number;
  /** Buckets that a window can touch: all whole ones, the current and the oldest. */
  readonly live: number;
  /** Digits of the count beside the amount: room for 166, 166, 57, 83 and 192 attempts a second. */
  readonly countDigits: number;
  readonly ring: number;
  readonly characters: 2 | 3;
  /** Where the level's names start among all names of as many characters. */
  readonly offset: number;
}

const nextOffset = { 2: 0, 3: 0 };

function level(window: Window, parts: number, countDigits: number, characters: 2 | 3): Level {
  const bucketMs = WINDOW_MS[window] / parts;
  const ring = Math.ceil(RING_MS / bucketMs);
  const offset = nextOffset[characters];
  nextOffset[characters] += ring;
  return { window, bucketMs, live: parts + 1, countDigits, ring, characters, offset };
}

/** Transactions: five parts a window, because the item has no room for more than 30 buckets. */
export const TRANSACTION_LEVELS: readonly Level[] = [
  level('10m', 5, 5, 3),
  level('1h', 5, 5, 3),
  level('24h', 5, 6, 2),
  level('7d', 5, 7, 2),
  level('30d', 5, 8, 2),
];

/** Failed logins are rare and only their bursts matter: two parts a window. */
export const FAILED_LOGIN_LEVELS: readonly Level[] = [
  level('10m', 2, 0, 3),
  level('1h', 2, 0, 3),
  level('24h', 2, 0, 2),
];

const LEVELS = [...TRANSACTION_LEVELS, ...FAILED_LOGIN_LEVELS];

/** The number of the bucket that a time falls into. */
export const bucketIndex = (of: Level, atMs: number): number => Math.floor(atMs / of.bucketMs);

export function bucketName(of: Level, index: number): string {
  const code = of.offset + (((index % of.ring) + of.ring) % of.ring);
  const last = CHARACTERS.charAt(code % BASE);
  const rest = Math.floor(code / BASE);
  if (of.characters === 2) return CHARACTERS.charAt(rest) + last;
  return CHARACTERS.charAt(Math.floor(rest / BASE)) + CHARACTERS.charAt(rest % BASE) + last;
}

const memory = new Map<Level, { index: number; names: readonly string[] }>();

/** Names of the live buckets, newest first, then of those just gone stale; remembered until the bucket changes. */
export function namesAt(of: Level, index: number): readonly string[] {
  const known = memory.get(of);
  if (known !== undefined && known.index === index) return known.names;
  const names = Array.from({ length: of.live + 3 }, (_, age) => bucketName(of, index - age));
  memory.set(of, { index, names });
  return names;
}

/** The share of the oldest bucket that is inside the window that ends at a time. */
export const oldestShare = (of: Level, atMs: number): number => 1 - (atMs / of.bucketMs - bucketIndex(of, atMs));

const isBucketName = (name: string): boolean => {
  const first = CHARACTERS.indexOf(name.charAt(0));
  return (name.length === 2 || name.length === 3) && first >= 0 && first < 40;
};

/**
 * How long ago a bucket left its window, in ms; 0 while it is inside (or ahead: clocks differ, attempts arrive late);
 * undefined when the name is no bucket's.
 */
export function staleForMs(name: string, atMs: number): number | undefined {
  if (!isBucketName(name)) return undefined;
  let code = 0;
  for (const character of name) code = code * BASE + CHARACTERS.indexOf(character);
  const of = LEVELS.find((l) => l.characters === name.length && code >= l.offset && code < l.offset + l.ring);
  if (of === undefined) return undefined;
  const age = (((bucketIndex(of, atMs) - (code - of.offset)) % of.ring) + of.ring) % of.ring;
  return age < of.live || age >= of.ring - of.live ? 0 : (age - of.live + 1) * of.bucketMs;
}
