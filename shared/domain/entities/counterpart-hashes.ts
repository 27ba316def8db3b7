import type { Attempt, Counterpart } from './entity-history';
import type { MemberForm } from './kind-spec';

/** 64 characters; each takes one byte of an item and needs no escaping in JSON. */
export const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * 32 bits of a text: FNV-1a, then murmur3's finaliser, because FNV's low bits alone are poor on short texts.
 * Not for secrets: anyone who knows the function can make two texts collide. Attempts therefore name their counterparts
 * by pseudonyms, which nobody can choose.
 */
export function hash32(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const character = (value: number): string => BASE64.charAt(value & 63);

/** All 32 bits in six characters. */
export const hashText = (hash: number): string =>
  character(hash) +
  character(hash >>> 6) +
  character(hash >>> 12) +
  character(hash >>> 18) +
  character(hash >>> 24) +
  character(hash >>> 30);

/** The member of a device, address or card that was left out by a user who has one: no hash is written like this. */
export const ABSENT = '~~';

const DEVICE_TEXT_SALT = 0x64657669;

/** How `recent_devices` names a device: an item has room for six bytes of its pseudonym's 24. */
export const deviceHash = (device: string): string => hashText(hash32(device, DEVICE_TEXT_SALT));

const SALT: Readonly<Record<Counterpart, number>> = { users: 11, devices: 23, ips: 37, countries: 41, cards: 59 };

/** The counterparts of an attempt, hashed once for all entities that count them; `code` is its country. */
export interface CounterpartHashes extends Readonly<Record<Exclude<Counterpart, 'countries'>, number | undefined>> {
  readonly countries: undefined;
  readonly code: string | undefined;
}

const hashOf = (text: string | undefined, counterpart: Counterpart): number | undefined =>
  text === undefined ? undefined : hash32(text, SALT[counterpart]);

/** The hashes of every counterpart that an attempt may name. */
export const counterpartHashes = ({ user_id, device, ip, card, country }: Attempt): CounterpartHashes => ({
  users: hashOf(user_id, 'users'),
  devices: hashOf(device, 'devices'),
  ips: hashOf(ip, 'ips'),
  cards: hashOf(card, 'cards'),
  countries: undefined,
  code: country?.length === 2 ? country : undefined,
});

/** The member that an attempt adds to a set of counterparts; undefined if it names none. */
export function memberOf(hashes: CounterpartHashes, counterpart: Counterpart, form: MemberForm): string | undefined {
  if (form === 'code') return hashes.code;
  const hash = hashes[counterpart];
  if (hash === undefined) return undefined;
  const first = BASE64.charAt(hash & (form === 32 ? 31 : 63));
  return form === 4096 ? first + BASE64.charAt((hash >>> 6) & 63) : first;
}

/** How a user's address was written before there were 4,096 buckets: in one of 32, which strangers met too easily. */
export const legacyAddress = (hash: number): string => BASE64.charAt(hash & 31);

const BASE64_VALUE = Int8Array.from({ length: 128 }, (_, code) => BASE64.indexOf(String.fromCharCode(code)));

/** How many different members two epochs have together; for small forms, by two 32-bit masks. */
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
    const bit = BASE64_VALUE[member.charCodeAt(0)] ?? 0;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  let extra = 0;
  for (const member of previous) {
    const bit = BASE64_VALUE[member.charCodeAt(0)] ?? 0;
    if (((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 0) extra += 1;
  }
  return current.length + extra;
}

/**
 * How many different values produced this many members: linear counting (Whang et al. 1990), which corrects for two
 * values in the same bucket. A full set of 64 reads as 266: "very many".
 */
export function distinctEstimate(members: number, form: MemberForm): number {
  if (form === 'code' || members === 0) return members;
  const free = Math.max(form - members, 1) / form;
  const estimate = -form * Math.log(free);
  // Below an eighth the correction is smaller than one: return the number a person would count.
  return members * 8 <= form ? members : estimate;
}
