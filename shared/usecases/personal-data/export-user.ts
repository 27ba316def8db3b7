import type { Caller } from '../../domain/accounts/account';
import type { SubjectHistory } from '../../domain/cases/timeline';
import { DomainError, notFound } from '../../domain/errors';
import type { UserExport } from '../../domain/personal-data/user-export';
import { type UserLinksDeps, userLinks } from '../entities/user-links';
import { type RiskProfileDeps, userRiskProfile } from '../entities/user-risk-profile';
import { type ListDecisionsDeps, listDecisions } from '../screening/list-decisions';

/** Dependencies of an export. */
export interface ExportUserDeps extends ListDecisionsDeps, RiskProfileDeps, UserLinksDeps {
  readonly desk: { history(accountId: string, ulid: string): Promise<SubjectHistory> };
}

/** An answer of a function must stay below 6 MB: a decision has some 3 kB, its case and comments more. */
const DECISIONS_PER_PART = 200;

const unlessUnknown = (error: unknown): undefined => {
  if (error instanceof DomainError && error.code === 'not_found') return undefined;
  throw error;
};

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
  if (isFirst && profile === undefined && listed.decisions.length === 0) throw notFound('user');
  const histories: SubjectHistory[] = [];
  for (const { ulid, automated_decision } of listed.decisions) {
    if (automated_decision === 'review') histories.push(await deps.desk.history(caller.account_id, ulid));
  }
  return {
    user_id: userId,
    atMs: deps.clock.now(),
    profile,
    decisions: listed.decisions,
    kept: listed.kept,
    cases: histories.flatMap(({ reviewCase }) => reviewCase ?? []),
    comments: histories.flatMap(({ reviewCase, desk }) =>
      desk.flatMap(({ at, actor, text }) => (text && reviewCase ? [{ ulid: reviewCase.ulid, at, actor, text }] : [])),
    ),
    links,
    nextCursor: listed.nextCursor,
    isListing: listed.isListing,
  };
}
