import { EPOCH_CHARACTERS, EPOCH_MS } from './distinct-sets';

/*
 * When the first fraud of a 30-day epoch was confirmed, in seconds, under `r` and the epoch's character. A terminal
 * or a card that was copied is bad for some weeks and then clean again: how long ago its trouble began says more about
 * the next attempt than how much trouble there was. The current and the previous epoch count.
 */
const LETTER = 'r';

const epochOf = (atMs: number): number => Math.floor(atMs / EPOCH_MS);

/** The name under which the epoch of this time, or the one `back` epochs ago, keeps its first fraud. */
export const streakName = (atMs: number, back = 0): string =>
  LETTER + EPOCH_CHARACTERS.charAt((epochOf(atMs) - back) % EPOCH_CHARACTERS.length);

/** How many epochs ago a name was current; undefined if it is not the name of a streak. */
export function streakAge(name: string, atMs: number): number | undefined {
  if (name.length !== 2 || !name.startsWith(LETTER)) return undefined;
  const position = EPOCH_CHARACTERS.indexOf(name.charAt(1));
  const ring = EPOCH_CHARACTERS.length;
  return position < 0 ? undefined : (((epochOf(atMs) - position) % ring) + ring) % ring;
}
