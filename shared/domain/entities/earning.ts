import { ABSENT, BASE64, counterpartHashes, memberOf } from './counterpart-hashes';
import type { Attempt, EntityHistory } from './entity-history';
import { FAMILIAR_MS, KIND, type MemberForm } from './kind-spec';
import { earnedDay } from './largest-day';

/*
 * Familiarity is earned: by attempts that were allowed, or that a person approved, and by the time they have survived.
 * A thief's first small purchase on a new device may be allowed, but for a week it makes nothing else familiar.
 */

/** Whether the attempt comes from a device that its user earned a week ago, or that a person confirmed. */
export const isFamiliarDevice = ({ own_device }: EntityHistory, atMs: number): boolean =>
  own_device !== undefined && atMs - own_device.since_ms >= FAMILIAR_MS;

/** Whether it comes from an address, in a country, from which its user had attempts allowed before. */
export const isFamiliarAddress = ({ seen }: EntityHistory): boolean => seen.ips === true && seen.countries !== false;

/** Whether the user has something to lose: a newcomer's first device is as good as any. */
export const isEstablished = ({ trusted_since_ms }: EntityHistory, atMs: number): boolean =>
  trusted_since_ms !== undefined && atMs - trusted_since_ms >= FAMILIAR_MS;

/**
 * Whether an attempt shows where the user is and on which device: a failed login does not, nor does a password reset or
 * any other change that a thief makes first.
 */
export const showsTheUser = ({ action, outcome }: Attempt): boolean =>
  outcome === 'succeeded' && (action === 'transaction' || action === 'login' || action === 'signup');

/**
 * Whether an allowed attempt of an established user earns its device and nothing else: neither the device, or that there is
 * none, nor the address is familiar. Users who never send a device are not measured by it.
 */
export function isOnProbation(attempt: Attempt, user: EntityHistory): boolean {
  if (!isEstablished(user, attempt.at_ms) || isFamiliarAddress(user)) return false;
  const hasNever = attempt.device === undefined && user.seen.devices === undefined;
  return !hasNever && !isFamiliarDevice(user, attempt.at_ms);
}

/** The counterparts that an attempt may make familiar to its user. */
export const EARNED_COUNTERPARTS = ['devices', 'ips', 'countries', 'cards', 'amounts'] as const;

export type EarnedCounterpart = (typeof EARNED_COUNTERPARTS)[number];

/** A counterpart that an attempt used. */
export interface EarnedMember {
  /** As a person's confirmation leaves it: familiar at once. */
  readonly member: string;
  readonly since: string;
  /** The user had not earned it before; a device counts as new until it is familiar. */
  readonly isNew: boolean;
}

/** Everything an attempt earns if it is allowed, or approved later. A screening keeps it as text, without the values. */
export interface Earning {
  readonly members: Readonly<Partial<Record<EarnedCounterpart, EarnedMember>>>;
  /** Everything counts; otherwise (`isOnProbation`) only the device, until a person confirms the attempt. */
  readonly isFull: boolean;
  /** Positions, among the entities of the attempt, of those that become trusted with it. */
  readonly trusts: readonly number[];
}

/** An attempt that was allowed, and what it earns. */
export interface EarnedAttempt {
  readonly attempt: Attempt;
  readonly earning: Earning;
}

/*
 * A device's time is written in steps of six hours, in two characters: the ring of 1,024 days is longer than any device
 * is carried on, because what is older than that is written as a year old.
 */
const STEP_MS = 6 * 3_600_000;
const RING = 4096;
const OLDEST_MS = 365 * 86_400_000;
/** Only rewritten after this time: a set must not collect a new text for one device every six hours. */
const REWRITTEN_MS = 400 * 86_400_000;

const character = (value: number): string => BASE64.charAt(Math.min(63, Math.max(0, Math.floor(value))));

/** Since when a device is earned and how many users it had then, in three characters. */
export function sinceText(sinceMs: number, atMs: number, crowd: number): string {
  const step = Math.floor(Math.max(sinceMs, atMs - OLDEST_MS) / STEP_MS) % RING;
  return character(step >> 6) + character(step & 63) + character(crowd);
}

/** Reads it back; the end of the step counts, so that nothing ever looks older than it is. */
export function sinceOf(text: string, atMs: number): { readonly since_ms: number; readonly crowd: number } | undefined {
  const valueAt = (at: number): number => BASE64.indexOf(text.charAt(at));
  const [high, low, crowd] = [valueAt(0), valueAt(1), valueAt(2)];
  if (text.length < 3 || high < 0) return undefined;
  const now = Math.floor(atMs / STEP_MS);
  const age = (((now - ((high << 6) + low)) % RING) + RING) % RING;
  // A step ahead of ours comes from another clock.
  return { since_ms: Math.min(atMs, (now - (age > RING / 2 ? 0 : age) + 1) * STEP_MS), crowd };
}

type EarnedThing = Exclude<EarnedCounterpart, 'amounts'>;

const FORMS = KIND.user.counterparts as ReadonlyArray<readonly [EarnedThing, MemberForm]>;

/** Leaving one out counts as a member too, for a user who has one. */
const absentMember = ({ seen }: EntityHistory, counterpart: EarnedThing): string | undefined =>
  counterpart !== 'countries' && seen[counterpart] !== undefined ? ABSENT : undefined;

function dayOf(
  { action, amount_usd, at_ms }: Attempt,
  { transactions, largest_day }: EntityHistory,
): EarnedMember | undefined {
  if (action !== 'transaction' || amount_usd === undefined) return undefined;
  const { member, isNew } = earnedDay(transactions.windows['24h'].amount_usd + amount_usd, at_ms, largest_day);
  return { member, since: '', isNew };
}

/** A device that was earned before keeps its text, so that the set holds it once. */
function deviceSince({ at_ms }: Attempt, { own_device }: EntityHistory, device: EntityHistory | undefined): string {
  const crowd = own_device?.crowd ?? device?.distinct.users ?? 0;
  if (own_device === undefined) return sinceText(at_ms, at_ms, crowd);
  const { text, since_ms } = own_device;
  return text !== undefined && at_ms - since_ms < REWRITTEN_MS ? text : sinceText(since_ms, at_ms, crowd);
}

/** The earning of an attempt; undefined for one that does not show the user, which never earns anything. */
export function earningOf(
  attempt: Attempt,
  user: EntityHistory,
  device: EntityHistory | undefined,
  trusts: readonly number[],
): Earning | undefined {
  if (!showsTheUser(attempt)) return undefined;
  const members: Partial<Record<EarnedCounterpart, EarnedMember>> = {};
  const hashes = counterpartHashes(attempt);
  for (const [counterpart, form] of FORMS) {
    const member = memberOf(hashes, counterpart, form) ?? absentMember(user, counterpart);
    if (member === undefined) continue;
    members[counterpart] =
      counterpart === 'devices'
        ? { member, since: deviceSince(attempt, user, device), isNew: !isFamiliarDevice(user, attempt.at_ms) }
        : { member, since: '', isNew: user.seen[counterpart] !== true };
  }
  const day = dayOf(attempt, user);
  if (day !== undefined) members.amounts = day;
  const isFull = !isOnProbation(attempt, user);
  return { members, isFull, trusts: isFull ? trusts : [] };
}

const LETTER: Readonly<Record<EarnedCounterpart, string>> = {
  devices: 'v',
  ips: 'i',
  countries: 'k',
  cards: 'm',
  amounts: 'g',
};
const FULL = '*';
const TRUSTS = 'f';

/** As a screening keeps it, for labels that come later: what was new (`vQz.p3B iK mA7 kDE * f12`), mostly just `*`. */
export function earningText({ members, isFull, trusts }: Earning): string {
  const words: string[] = [];
  for (const counterpart of EARNED_COUNTERPARTS) {
    const held = members[counterpart];
    if (!held?.isNew) continue;
    words.push(LETTER[counterpart] + held.member + (held.since === '' ? '' : `.${held.since}`));
  }
  if (isFull) words.push(FULL);
  if (trusts.length > 0) words.push(TRUSTS + trusts.map((at) => at.toString(36)).join(''));
  return words.join(' ');
}

/** Reads it back: all its members were new. */
export function parseEarning(text: string): Earning {
  const members: Partial<Record<EarnedCounterpart, EarnedMember>> = {};
  let trusts: readonly number[] = [];
  const words = text.split(' ');
  for (const word of words) {
    if (word.startsWith(TRUSTS)) trusts = [...word.slice(1)].map((at) => Number.parseInt(at, 36));
    const counterpart = EARNED_COUNTERPARTS.find((name) => LETTER[name] === word.charAt(0));
    if (counterpart === undefined) continue;
    const [member = '', since = ''] = word.slice(1).split('.');
    members[counterpart] = { member, since, isNew: true };
  }
  return { members, isFull: words.includes(FULL), trusts };
}
