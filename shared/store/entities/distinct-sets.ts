import type { Counterpart } from '../../domain/entities/entity-history';
import { COUNTERPARTS } from '../../domain/entities/kind-spec';

/** The sets that an item keeps: counterparts, and what a user tried besides what was earned. */
export type SetKind = Counterpart | 'tried_devices' | 'tried_cards' | 'amounts';

export const SET_KINDS: readonly SetKind[] = [...COUNTERPARTS, 'tried_devices', 'tried_cards', 'amounts'];

/*
 * Distinct counterparts are counted with sets, the only thing DynamoDB can add to twice without harm. A set belongs
 * to a 30-day epoch, which is part of its name. The current and the previous epoch count, so the memory is 30 to 60
 * days long and forgetting costs one REMOVE. Members are hash buckets, written as characters
 * (the domain's `counterpart-hashes.ts`): a string of one byte, where a number in a number set takes two.
 */
export const EPOCH_MS = 30 * 86_400_000;
export const EPOCH_CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const LETTER: Readonly<Record<SetKind, string>> = {
  users: 'u',
  devices: 'v',
  ips: 'i',
  countries: 'k',
  cards: 'm',
  tried_devices: 'w',
  tried_cards: 'y',
  amounts: 'g',
};

const epochOf = (atMs: number): number => Math.floor(atMs / EPOCH_MS);

const namesOf = (kind: SetKind): readonly string[] =>
  [...EPOCH_CHARACTERS].map((character) => LETTER[kind] + character);

const NAMES: Readonly<Record<SetKind, readonly string[]>> = {
  users: namesOf('users'),
  devices: namesOf('devices'),
  ips: namesOf('ips'),
  countries: namesOf('countries'),
  cards: namesOf('cards'),
  tried_devices: namesOf('tried_devices'),
  tried_cards: namesOf('tried_cards'),
  amounts: namesOf('amounts'),
};

/** The name of the set of this epoch, or of the one `back` epochs ago. */
export const setName = (kind: SetKind, atMs: number, back = 0): string =>
  NAMES[kind][(epochOf(atMs) - back) % EPOCH_CHARACTERS.length] ?? '';

/** How many epochs ago a set was current; undefined if the name is not the name of a set. */
export function setAge(name: string, atMs: number): number | undefined {
  if (name.length !== 2 || !'uvikmwyg'.includes(name.charAt(0))) return undefined;
  const position = EPOCH_CHARACTERS.indexOf(name.charAt(1));
  const ring = EPOCH_CHARACTERS.length;
  return position < 0 ? undefined : (((epochOf(atMs) - position) % ring) + ring) % ring;
}
