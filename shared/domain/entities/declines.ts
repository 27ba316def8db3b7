import { BASE64, hash32, hashText } from './counterpart-hashes';
import type { DeclineCounts } from './entity-history';

/*
 * Declines of the classes "guessing" and "refused by the bank" (the domain's `processor-word.ts`), as the histories of those
 * who took part count them. Each leaves a text in a set per half day:
 *
 *   time 2 · flags 1 · card 3     steps of 10.5 seconds; a wrong CVC, a rise that all share, 4 bits of the outcome; 18 bits
 *
 * The card is missing if none was sent. A set of short texts can be added to twice without harm and holds every window.
 */
export const HALF_DAY_MS = 43_200_000;
const STEP_MS = HALF_DAY_MS / 4096;
const CARD_SALT = 0x63617264;
const CARD_AT = 3;
const WRONG_CVC = 1;
const SHARED = 2;

/** A decline, as entities count it. */
export interface CountedDecline {
  readonly at_ms: number;
  /** The outcome's ULID: two declines of a card within ten seconds are two. */
  readonly ulid: string;
  readonly card: string | undefined;
  readonly is_wrong_cvc: boolean;
  /** Part of a rise that the whole account shares: no evidence against anyone. */
  readonly is_shared: boolean;
}

export const NO_DECLINES: DeclineCounts = { '10m': 0, '1h': 0, '24h': 0, cards: 0, lone_cards: 0, wrong_cvcs: 0 };

export const halfDayOf = (atMs: number): number => Math.floor(atMs / HALF_DAY_MS);

/** The text of a decline in the set of its half day. */
export function declineText({ at_ms, ulid, card, is_wrong_cvc, is_shared }: CountedDecline): string {
  const step = Math.floor((at_ms % HALF_DAY_MS) / STEP_MS);
  const flags = (hash32(ulid, CARD_SALT) & 60) | (is_wrong_cvc ? WRONG_CVC : 0) | (is_shared ? SHARED : 0);
  const name = card === undefined ? '' : hashText(hash32(card, CARD_SALT)).slice(0, 3);
  return BASE64.charAt(step >> 6) + BASE64.charAt(step & 63) + BASE64.charAt(flags) + name;
}

/** When a decline of a half day happened, to ten seconds. */
export const declinedAtMs = (text: string, halfDay: number): number =>
  halfDay * HALF_DAY_MS + ((BASE64.indexOf(text.charAt(0)) << 6) + BASE64.indexOf(text.charAt(1))) * STEP_MS;

const TEN_MINUTES_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Counts the declines in sets, newest half day first, in the windows that end at a time. */
export function countDeclines(sets: ReadonlyArray<readonly string[]>, atMs: number): DeclineCounts {
  const counts = { '10m': 0, '1h': 0, '24h': 0, cards: 0, lone_cards: 0, wrong_cvcs: 0 };
  const [cards, lone] = [new Set<string>(), new Set<string>()];
  for (const [age, set] of sets.entries()) {
    for (const text of set) {
      const agoMs = atMs - declinedAtMs(text, halfDayOf(atMs) - age);
      if (agoMs >= DAY_MS) continue;
      counts['24h'] += 1;
      if (agoMs < HOUR_MS) counts['1h'] += 1;
      if (agoMs < TEN_MINUTES_MS) counts['10m'] += 1;
      const flags = BASE64.indexOf(text.charAt(CARD_AT - 1));
      const card = text.slice(CARD_AT);
      const isLone = (flags & SHARED) === 0;
      if (isLone && flags & WRONG_CVC) counts.wrong_cvcs += 1;
      if (card === '') continue;
      cards.add(card);
      if (isLone) lone.add(card);
    }
  }
  return { ...counts, cards: cards.size, lone_cards: lone.size };
}

/** The declines that both have: at most as many as either. */
export const commonDeclines = (
  one: DeclineCounts = NO_DECLINES,
  other: DeclineCounts = NO_DECLINES,
): DeclineCounts => ({
  '10m': Math.min(one['10m'], other['10m']),
  '1h': Math.min(one['1h'], other['1h']),
  '24h': Math.min(one['24h'], other['24h']),
  cards: Math.min(one.cards, other.cards),
  lone_cards: Math.min(one.lone_cards, other.lone_cards),
  wrong_cvcs: Math.min(one.wrong_cvcs, other.wrong_cvcs),
});
