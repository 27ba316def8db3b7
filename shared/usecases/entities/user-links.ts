import type { Caller } from '../../domain/accounts/account';
import type { EntityProfile } from '../../domain/entities/entity-history';
import { CROWD_USERS, type LinkEdge, type LinkGraph, linkNode, nodeId } from '../../domain/entities/entity-links';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { EntityLink } from '../../domain/entities/seen-with';
import { notFound } from '../../domain/errors';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { lowestUlid } from '../../domain/ulid';
import type { ListDecisionsDeps } from '../screening/list-decisions';

/** Dependencies of a user's links. */
export interface UserLinksDeps {
  readonly clock: { now(): number };
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly links: {
    entitiesOf(
      accountId: string,
      user: string,
      limit: number,
    ): Promise<{ readonly since: ReadonlyMap<string, number>; readonly isCut: boolean }>;
    usersOf(accountId: string, entity: string, limit: number): Promise<readonly EntityLink[]>;
    profiles(accountId: string, keys: readonly string[], nowMs: number): Promise<ReadonlyMap<string, EntityProfile>>;
  };
}

/** The IDs of users, by their pseudonyms, as far as they are known. */
type NamesOf = (users: readonly string[]) => Promise<ReadonlyMap<string, string>>;
type NamesDeps = Pick<ListDecisionsDeps, 'clock' | 'decisions'>;

const DAY_MS = 86_400_000;
const MAX_NODES = 50;
/** Leaves room for the users behind them. */
const MAX_ENTITIES = 25;
/** How far back the user's own screenings are read: some 60 kB of the index. */
const MAX_SCREENINGS = 200;

const userKey = (pseudonym: string): string => `user#${pseudonym}`;

/**
 * Entities that a user was seen with, and who else was: two hops. One that a crowd shares (an office, a carrier, a category) is
 * shown but not walked through.
 */
export async function userLinks(
  deps: UserLinksDeps,
  caller: Caller,
  userId: string,
  namesOf: NamesOf = async () => new Map(),
): Promise<LinkGraph> {
  const { account_id: accountId } = caller;
  const nowMs = deps.clock.now();
  const root = entityNames(accountId, await deps.pseudonyms()).user(userId);
  const { since, isCut } = await deps.links.entitiesOf(accountId, pseudonymOf(root), MAX_SCREENINGS);
  const entities = [...since.keys()].slice(0, MAX_ENTITIES);
  const profiles = await deps.links.profiles(accountId, [root.key, ...entities], nowMs);
  if (!profiles.has(root.key)) throw notFound('user');

  const walked = entities.filter((key) => (profiles.get(key)?.distinct.users ?? 0) <= CROWD_USERS);
  const found = await Promise.all(walked.map((key) => deps.links.usersOf(accountId, key, CROWD_USERS + 2)));
  const links = found.flat();
  const others = mostShared(links.filter(({ user }) => userKey(user) !== root.key));
  const shown = others.slice(0, MAX_NODES - 1 - entities.length);
  const [people, names] = await Promise.all([
    deps.links.profiles(accountId, shown.map(userKey), nowMs),
    namesOf(shown),
  ]);

  const nodes = [
    linkNode(accountId, root.key, profiles.get(root.key), userId),
    ...entities.map((key) => linkNode(accountId, key, profiles.get(key))),
    ...shown.map((user) => linkNode(accountId, userKey(user), people.get(userKey(user)), names.get(user))),
  ];
  const ownSince = new Map(
    links.flatMap(({ user, entity, since_ms }) => (userKey(user) === root.key ? [[entity, since_ms]] : [])),
  );
  const edge = (user: string, entity: string, sinceMs: number): LinkEdge => ({
    from: nodeId(accountId, user),
    to: nodeId(accountId, entity),
    sinceMs,
  });
  return {
    nodes,
    edges: [
      ...entities.map((key) => edge(root.key, key, ownSince.get(key) ?? since.get(key) ?? nowMs)),
      ...links
        .filter(({ user }) => shown.includes(user))
        .map(({ user, entity, since_ms }) => edge(userKey(user), entity, since_ms)),
    ],
    truncated: isCut || entities.length < since.size || shown.length < others.length,
  };
}

/** The newest screening of each user tells their ID, which links do not hold. */
export const namesOfUsers =
  ({ clock, decisions }: NamesDeps, { account_id }: Caller): NamesOf =>
  async (users) => {
    const span = { from: lowestUlid(clock.now() - RETENTION_MS), before: lowestUlid(clock.now() + DAY_MS) };
    const newest = await Promise.all(
      users.map(async (user) => {
        const { ulids } = await decisions.ofUser(account_id, user, span, { limit: 1 });
        return [user, ulids[0]] as const;
      }),
    );
    const found = await decisions.findAll(
      account_id,
      newest.flatMap(([, ulid]) => ulid ?? []),
    );
    const idOf = new Map(found.map(({ ulid, user_id }) => [ulid, user_id]));
    return new Map(newest.flatMap(([user, ulid]) => (ulid && idOf.has(ulid) ? [[user, idOf.get(ulid) ?? '']] : [])));
  };

/** Users by how much they share, the most first. */
function mostShared(links: readonly EntityLink[]): string[] {
  const counts = new Map<string, number>();
  for (const { user } of links) counts.set(user, (counts.get(user) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([user]) => user);
}
