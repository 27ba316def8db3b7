import type { MemberForm } from './entity-attributes';
import type { Attempt, Counterpart } from './entity-history';
import { BASE64, hash32 } from './short-hash';

/*
 * Different counterparts are counted with sets, the only thing DynamoDB can add to twice without harm. A set belongs
 * to an epoch of 30 days, which is in its name; the current and the previous one count, so the memory is 30 to 60 days
 * long and forgetting costs one REMOVE. Members are hash buckets, written as characters: a string of one byte where a
 * number in a number set takes two.
 */
export const EPOCH_MS = 30 * 86_400_000;
export const EPOCH_CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const LETTER: Readonly<Record<Counterpart, string>> = {
  users: 'u',
  devices: 'v',
  ips: 'i',
  countries: 'k',
  cards: 'm',
};
const SALT: Readonly<Record<Counterpart, number>> = { users: 11, devices: 23, ips: 37, countries: 41, cards: 59 };

const epochOf = (atMs: number): number => Math.floor(atMs / EPOCH_MS);

const NAMES = new Map(
  (Object.keys(LETTER) as Counterpart[]).map((counterpart) => [
    counterpart,
    [...EPOCH_CHARACTERS].map((character) => LETTER[counterpart] + character),
  ]),
);

/** The name of the set of this epoch, or of the one `back` epochs ago. */
export const setName = (counterpart: Counterpart, atMs: number, back = 0): string =>
  NAMES.get(counterpart)?.[(epochOf(atMs) - back) % EPOCH_CHARACTERS.length] ?? '';

/** How many epochs ago a set was current; undefined when the name is no set's. */
export function setAge(name: string, atMs: number): number | undefined {
  if (name.length !== 2 || !'uvikm'.includes(name.charAt(0))) return undefined;
  const place = EPOCH_CHARACTERS.indexOf(name.charAt(1));
  const ring = EPOCH_CHARACTERS.length;
  return place < 0 ? undefined : (((epochOf(atMs) - place) % ring) + ring) % ring;
}

const identity = (attempt: Attempt, counterpart: Counterpart): string | undefined => {
  switch (counterpart) {
    case 'users':
      return attempt.user_id;
    case 'devices':
      return attempt.device;
    case 'ips':
      return attempt.ip;
    case 'cards':
      return attempt.card;
    case 'countries':
      return attempt.country?.length === 2 ? attempt.country : undefined;
  }
};

type Members = Partial<Record<Counterpart, number | undefined>>;
/** An attempt touches about four entities, which count the same counterparts: each is hashed once. */
const hashes = new WeakMap<Attempt, Members>();

function hashOf(attempt: Attempt, counterpart: Counterpart): number | undefined {
  let known = hashes.get(attempt);
  if (known === undefined) {
    known = {};
    hashes.set(attempt, known);
  }
  if (counterpart in known) return known[counterpart];
  const text = identity(attempt, counterpart);
  const hash = text === undefined ? undefined : hash32(text, SALT[counterpart]);
  known[counterpart] = hash;
  return hash;
}

/** What an attempt adds to a set of counterparts; undefined when it names none. */
export function memberOf(attempt: Attempt, counterpart: Counterpart, form: MemberForm): string | undefined {
  if (form === 'code') return identity(attempt, counterpart);
  const hash = hashOf(attempt, counterpart);
  if (hash === undefined) return undefined;
  const first = BASE64.charAt(hash & (form === 32 ? 31 : 63));
  return form === 4096 ? first + BASE64.charAt((hash >>> 6) & 63) : first;
}

/** All members of both epochs, in order. */
export const union = (current: readonly string[], previous: readonly string[]): readonly string[] =>
  [...new Set([...current, ...previous])].sort();

const PLACE = Int8Array.from({ length: 128 }, (_, code) => BASE64.indexOf(String.fromCharCode(code)));

/** How many different members two epochs have together; small forms by two masks of 32 bits. */
export function unionSize(current: readonly string[], previous: readonly string[], form: MemberForm): number {
  if (previous.length === 0) return current.length;
  if (form === 'code' || form === 4096) {
    let extra = 0;
    for (const member of previous) if (!current.includes(member)) extra += 1;
    return current.length + extra;
  }
  let low = 0;
  let high = 0;
  for (const member of current) {
    const place = PLACE[member.charCodeAt(0)] ?? 0;
    if (place < 32) low |= 1 << place;
    else high |= 1 << (place - 32);
  }
  let extra = 0;
  for (const member of previous) {
    const place = PLACE[member.charCodeAt(0)] ?? 0;
    if (((place < 32 ? low >>> place : high >>> (place - 32)) & 1) === 0) extra += 1;
  }
  return current.length + extra;
}

/**
 * How many different ones made so many members: linear counting (Whang et al. 1990), which corrects for two that fell
 * into one bucket. A full set of 64 reads as 266: "very many".
 */
export function distinctEstimate(members: number, form: MemberForm): number {
  if (form === 'code' || members === 0) return members;
  const free = Math.max(form - members, 1) / form;
  const estimate = -form * Math.log(free);
  // Below an eighth the correction is smaller than one: say the number a person would count.
  return members * 8 <= form ? members : estimate;
}
