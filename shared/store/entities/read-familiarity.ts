import { isTransaction } from '../../domain/entities/attempt-counts';
import { ABSENT, legacyAddress, memberOf, unionSize } from '../../domain/entities/counterpart-hashes';
import { sinceOf } from '../../domain/entities/earning';
import type { Attempt, EntityHistory, OwnDevice } from '../../domain/entities/entity-history';
import { largestDay } from '../../domain/entities/largest-day';
import { counterOf, membersOf } from '../sdk/attribute-value';
import { attemptWrites } from './attempt-writes';
import type { SetKind } from './distinct-sets';
import { type ItemReading, SET_SLOT, SLOT } from './item-reading';

type Mutable<Type> = { -readonly [Member in keyof Type]: Type[Member] };
type Familiarity = Pick<
  EntityHistory,
  'distinct' | 'seen' | 'tried' | 'earned' | 'own_device' | 'stopped_marks' | 'largest_day'
>;

const NO_MARKS: EntityHistory['stopped_marks'] = { undecided: [], rejected: [] };
/** Without an attempt there is nothing to have been seen. */
const NOT_ASKED = { users: undefined, devices: undefined, ips: undefined, countries: undefined, cards: undefined };
/** Characters of a member that name the device or card; what follows says since when it is earned. */
const NAME_CHARACTERS = 2;

/** The members of both epochs. */
function membersIn({ values }: ItemReading, kind: SetKind): readonly string[] {
  const slot = SET_SLOT[kind];
  const current = membersOf(values[slot]);
  const previous = membersOf(values[slot + 1]);
  if (current.length === 0 || previous.length === 0) return current.length === 0 ? previous : current;
  const members: string[] = [];
  for (const member of current) members.push(member);
  for (const member of previous) members.push(member);
  return members;
}

/** Sets are small: a list is faster than a set. That something was left out is not a thing to count. */
function addNames(names: string[], members: readonly string[]): string[] {
  for (const member of members) {
    const name = member.slice(0, NAME_CHARACTERS);
    if (name !== ABSENT && !names.includes(name)) names.push(name);
  }
  return names;
}

/** The earliest time at which any of the members says that the device was earned. */
function ownDevice(members: readonly string[], name: string, userSinceMs: number, atMs: number): OwnDevice | undefined {
  let isOwn = false;
  let written: (OwnDevice & { readonly text: string }) | undefined;
  let confirmedMs = Number.POSITIVE_INFINITY;
  for (const member of members) {
    if (!member.startsWith(name)) continue;
    isOwn = true;
    const text = member.slice(NAME_CHARACTERS);
    const since = sinceOf(text, atMs);
    // A member without a time was confirmed by a person, or is from before there were times.
    if (since === undefined) confirmedMs = userSinceMs;
    else if (written === undefined || since.since_ms < written.since_ms)
      written = { text, since_ms: since.since_ms, crowd: since.crowd };
  }
  if (!isOwn) return undefined;
  const since_ms = Math.min(confirmedMs, written?.since_ms ?? confirmedMs);
  return { text: written?.text, since_ms, crowd: written?.crowd };
}

/** Whether a member is among those that were earned; without one, whether that is usual. Undefined if there never is one. */
function isEarned(members: readonly string[], own: string | undefined): boolean | undefined {
  if (own === undefined && members.length === 0) return undefined;
  const name = own ?? ABSENT;
  for (const member of members) if (member.startsWith(name)) return true;
  return false;
}

/** Devices, cards and other things that a user earned and tried; `earned` ignores the difference between the two. */
export function readFamiliarity(reading: ItemReading, at: Attempt | number): Familiarity {
  const { values } = reading;
  const [devices, cards] = [membersIn(reading, 'devices'), membersIn(reading, 'cards')];
  const [ips, countries] = [membersIn(reading, 'ips'), membersIn(reading, 'countries')];
  const [deviceNames, cardNames] = [addNames([], devices), addNames([], cards)];
  const earned = { devices: deviceNames.length, cards: cardNames.length };
  addNames(deviceNames, membersIn(reading, 'tried_devices'));
  addNames(cardNames, membersIn(reading, 'tried_cards'));
  const [undecided, rejected] = [values[SLOT.undecidedMarks], values[SLOT.rejectedMarks]];
  const familiarity: Mutable<Familiarity> = {
    distinct: {
      users: undefined,
      devices: deviceNames.length,
      ips: addNames([], ips).length,
      countries: unionSize(membersOf(values[SET_SLOT.countries]), membersOf(values[SET_SLOT.countries + 1]), 'code'),
      cards: cardNames.length,
    },
    seen: NOT_ASKED,
    tried: NOT_ASKED,
    earned,
    own_device: undefined,
    largest_day: largestDay(membersIn(reading, 'amounts'), typeof at === 'number' ? at : at.at_ms),
    stopped_marks:
      undecided === undefined && rejected === undefined
        ? NO_MARKS
        : { undecided: membersOf(undecided), rejected: membersOf(rejected) },
  };
  if (typeof at === 'number') return familiarity;
  const { hashes } = attemptWrites(at);
  const device = memberOf(hashes, 'devices', 4096);
  const card = memberOf(hashes, 'cards', 4096);
  const ip = memberOf(hashes, 'ips', 4096);
  const userSinceMs = counterOf(values[SLOT.trustedSince]) || at.at_ms;
  const isAddress = isEarned(ips, ip);
  const seen = {
    users: undefined,
    devices: isEarned(devices, device),
    ips: isAddress === false && hashes.ips !== undefined ? ips.includes(legacyAddress(hashes.ips)) : isAddress,
    countries: hashes.code === undefined ? undefined : countries.includes(hashes.code),
    cards: isTransaction(at) ? isEarned(cards, card) : undefined,
  };
  familiarity.seen = seen;
  familiarity.tried = {
    users: undefined,
    devices: device === undefined ? undefined : deviceNames.includes(device),
    ips: seen.ips,
    countries: seen.countries,
    cards: card === undefined ? undefined : cardNames.includes(card),
  };
  familiarity.own_device = ownDevice(devices, device ?? ABSENT, userSinceMs, at.at_ms);
  return familiarity;
}
