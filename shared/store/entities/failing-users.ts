import { failingUsersNow, isFailedLogin, SPRAY_USERS } from '../../domain/entities/attempt-counts';
import { BASE64, hashText } from '../../domain/entities/counterpart-hashes';
import type { Attempt, EntityKind, FailingUsers } from '../../domain/entities/entity-history';
import { bucketIndex, KIND } from '../../domain/entities/kind-spec';
import { type AttributeValue, counterOf, type EntityItem, membersOf } from '../sdk/attribute-value';
import { deleteFrom, removeName, type UpdateBuilder } from '../sdk/update-builder';
import { type ItemReading, SLOT } from './item-reading';
import { FAILING_USERS_LEVEL as LEVEL, namesAt } from './time-buckets';

/*
 * Users whose logins failed, in a set per five minutes. A member is 18 bits of the user's hash and the half minute in
 * which it happened: four bytes, and the window can slide over two sets.
 *
 *        set before               set of now
 *   ──┬────────────────────────┬────────────────────────
 *     │ - - - - - ▒▒▒▒▒▒▒▒▒▒▒▒▒│███████████▲
 *   ──┴────────────────────────┴───────────┼────────────
 *                 └───── 5 minutes ────────┘
 */
const HALF_MINUTES = 10;
const USER_CHARACTERS = 3;
/** A trim keeps this many users in each set: enough to say that it was a spray. */
const KEPT_USERS = 20;
/** While a spray lasts, its time is written this often. */
const REMARK_MS = 60_000;

const halfMinuteOf = (atMs: number): number => Math.floor(((atMs % LEVEL.bucketMs) * HALF_MINUTES) / LEVEL.bucketMs);
const halfMinuteIn = (member: string): number => BASE64.indexOf(member.charAt(USER_CHARACTERS));
const userIn = (member: string): string => member.slice(0, USER_CHARACTERS);
const namesFor = (atMs: number): readonly string[] => namesAt(LEVEL, bucketIndex(LEVEL, atMs));

/** A failed login's additions, and the names of sets that nothing reads any more. */
export interface FailingUserWrite {
  readonly name: string;
  readonly value: AttributeValue;
  readonly unread: readonly string[];
}

/** Undefined for anything but a failed login. */
export function failingUserWrite(attempt: Attempt, userHash: number | undefined): FailingUserWrite | undefined {
  if (userHash === undefined || !isFailedLogin(attempt)) return undefined;
  const [name = '', , ...unread] = namesFor(attempt.at_ms);
  const member = hashText(userHash).slice(0, USER_CHARACTERS) + BASE64.charAt(halfMinuteOf(attempt.at_ms));
  return { name, value: { SS: [member] }, unread };
}

const NOBODY: FailingUsers = { count: 0, includes_user: false, last_spray_ms: undefined };

/** The users whose logins failed in the five minutes that end at a time. */
export function readFailingUsers({ values }: ItemReading, atMs: number, userHash: number | undefined): FailingUsers {
  const now = values[SLOT.buckets + LEVEL.slot];
  const before = values[SLOT.buckets + LEVEL.slot + 1];
  const spray = values[SLOT.spray];
  if (now === undefined && before === undefined && spray === undefined) return NOBODY;
  const users = new Set(membersOf(now).map(userIn));
  const since = halfMinuteOf(atMs);
  for (const member of membersOf(before)) if (halfMinuteIn(member) >= since) users.add(userIn(member));
  return {
    count: users.size,
    includes_user: userHash !== undefined && users.has(hashText(userHash).slice(0, USER_CHARACTERS)),
    last_spray_ms: spray === undefined ? undefined : 1000 * counterOf(spray),
  };
}

export function isUnmarkedSpray(kind: EntityKind, reading: ItemReading, attempt: Attempt, userHash?: number): boolean {
  if (!KIND[kind].failingUsers || !isFailedLogin(attempt)) return false;
  const failing = readFailingUsers(reading, attempt.at_ms, userHash);
  const isMarked = (failing.last_spray_ms ?? 0) > attempt.at_ms - REMARK_MS;
  return !isMarked && failingUsersNow(failing, true) >= SPRAY_USERS;
}

/** The members that a trim drops: all but the latest failure of the users who failed last. */
export function surplusMembers(members: readonly string[]): string[] {
  const kept = new Set<string>();
  return [...members]
    .sort((a, b) => halfMinuteIn(b) - halfMinuteIn(a))
    .filter((member) => {
      const isSurplus = kept.has(userIn(member)) || kept.size === KEPT_USERS;
      if (!isSurplus) kept.add(userIn(member));
      return isSurplus;
    });
}

/** Drops what nothing reads and thins out the rest; returns the bytes saved. */
export function thinFailingUsers(builder: UpdateBuilder, item: EntityItem, atMs: number): number {
  const [now = '', before = '', unread = ''] = namesFor(atMs);
  let saved = 0;
  for (const name of [now, before]) {
    const surplus = surplusMembers(membersOf(item[name]));
    if (surplus.length === 0) continue;
    deleteFrom(builder, name, surplus);
    saved += surplus.length * (USER_CHARACTERS + 1);
  }
  if (item[unread] === undefined) return saved;
  removeName(builder, unread);
  return saved + membersOf(item[unread]).length * (USER_CHARACTERS + 1);
}
