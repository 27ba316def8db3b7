import type { Caller } from '../../domain/accounts/account';
import type { SubjectHistory } from '../../domain/cases/timeline';
import { entityNames, kindOfKey, pseudonymOf } from '../../domain/entities/entity-ref';
import { DomainError, notFound } from '../../domain/errors';
import type { NamingEntry, UserExport } from '../../domain/personal-data/user-export';
import { countersOfUser, type PlannedCount } from '../../domain/rules/compile-counters';
import { openEvidence } from '../../domain/screening/subjects/evidence';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type UserLinksDeps, userLinks } from '../entities/user-links';
import { type RiskProfileDeps, userRiskProfile } from '../entities/user-risk-profile';
import { type ListDecisionsDeps, listDecisions } from '../screening/list-decisions';

/** Dependencies of an export. */
export interface ExportUserDeps extends ListDecisionsDeps, RiskProfileDeps, UserLinksDeps {
  readonly desk: { history(accountId: string, ulid: string): Promise<SubjectHistory> };
  readonly counters: {
    read(
      accountId: string,
      plan: PlannedCount,
      atMs: number,
    ): Promise<{ readonly name: string; readonly value: number }>;
  };
  readonly naming: { entries(accountId: string, entities: readonly string[]): Promise<readonly NamingEntry[]> };
}

/** An answer of a function must stay below 6 MB: a decision has some 3 kB, its case and comments more. */
const DECISIONS_PER_PART = 200;

const unlessUnknown = (error: unknown): undefined => {
  if (error instanceof DomainError && error.code === 'not_found') return undefined;
  throw error;
};

/**
 * Entries of lists that stand for the user, or for a device, address or attribute of these decisions that nobody else
 * was seen with. The others may be about somebody else, and an erasure leaves them too.
 */
async function entriesOf(
  deps: ExportUserDeps,
  { account_id }: Caller,
  part: { readonly userId: string; readonly decisions: readonly ScreeningRecord[]; readonly isFirst: boolean },
): Promise<readonly NamingEntry[]> {
  const user = entityNames(account_id, await deps.pseudonyms()).user(part.userId);
  const seenWith = part.decisions.flatMap(({ entities }) => entities.filter((key) => kindOfKey(key) !== 'user'));
  const found = await deps.naming.entries(account_id, [...(part.isFirst ? [user.key] : []), ...new Set(seenWith)]);
  const shared = new Set<string>();
  for (const entity of new Set(found.map((entry) => entry.entity))) {
    if (entity === user.key) continue;
    const users = await deps.links.usersOf(account_id, entity, 2);
    const profile = (await deps.links.profiles(account_id, [entity], deps.clock.now())).get(entity);
    const isOthers = users.some((link) => link.user !== pseudonymOf(user));
    if (isOthers || (profile?.distinct.users ?? 0) > 1) shared.add(entity);
  }
  return found.filter(({ entity }) => !shared.has(entity));
}

/** Values of the account's own counters for a user, by name. */
async function countedOf(deps: ExportUserDeps, { account_id: accountId }: Caller, userId: string) {
  const { declarations } = await deps.books.book(accountId);
  const plans = countersOfUser(declarations, { accountId, pseudonyms: await deps.pseudonyms() }, userId);
  const counted = await Promise.all(plans.map((plan) => deps.counters.read(accountId, plan, deps.clock.now())));
  return Object.fromEntries(counted.map(({ name, value }) => [name, value]));
}

/** Everything that is held about a user, in parts. */
export async function exportUser(
  deps: ExportUserDeps,
  caller: Caller,
  userId: string,
  cursor: string | undefined,
): Promise<UserExport> {
  const isFirst = cursor === undefined;
  const listed = await listDecisions(deps, caller, { user_id: userId, limit: DECISIONS_PER_PART, cursor });
  const profile = isFirst ? await userRiskProfile(deps, caller, userId).catch(unlessUnknown) : undefined;
  const links = isFirst ? await userLinks(deps, caller, userId).catch(unlessUnknown) : undefined;
  const listEntries = await entriesOf(deps, caller, { userId, decisions: listed.decisions, isFirst });
  if (isFirst && profile === undefined && listed.decisions.length === 0 && listEntries.length === 0) {
    throw notFound('user');
  }
  const histories: SubjectHistory[] = [];
  for (const { ulid, automated_decision } of listed.decisions) {
    if (automated_decision === 'review') histories.push(await deps.desk.history(caller.account_id, ulid));
  }
  const pseudonyms = await deps.pseudonyms();
  const opened = listed.decisions.flatMap((record) => {
    const evidence = openEvidence({ accountId: caller.account_id, pseudonyms }, record);
    return evidence === undefined ? [] : [[record.ulid, evidence] as const];
  });
  return {
    user_id: userId,
    evidence: new Map(opened),
    atMs: deps.clock.now(),
    profile,
    decisions: listed.decisions,
    kept: listed.kept,
    cases: histories.flatMap(({ reviewCase }) => reviewCase ?? []),
    comments: histories.flatMap(({ reviewCase, desk }) =>
      desk.flatMap(({ at, actor, text }) => (text && reviewCase ? [{ ulid: reviewCase.ulid, at, actor, text }] : [])),
    ),
    links,
    counters: isFirst ? await countedOf(deps, caller, userId) : {},
    listEntries,
    nextCursor: listed.nextCursor,
    isListing: listed.isListing,
  };
}
