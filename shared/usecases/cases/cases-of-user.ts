import type { AccountSettings, Caller } from '../../domain/accounts/account';
import { type CaseSelection, classOf } from '../../domain/cases/case-tally';
import type { ReviewCase } from '../../domain/cases/review-case';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { DecisionSlice, DecisionSpan } from '../../domain/screening/subjects/decision-span';
import { lowestUlid, ulidTimeMs } from '../../domain/ulid';
import { type Walk, type WalkedCases, walkCases } from './walk-cases';

/** The index that leads from a user to their screenings. */
export interface DecisionsOfUser {
  /** Screenings of a user, newest first; with a decision, at least those that it applies to. */
  ofUser(
    accountId: string,
    user: string,
    span: DecisionSpan,
    wanted: { readonly limit: number; readonly decision?: string | undefined },
  ): Promise<DecisionSlice>;
}

/** Dependencies of finding the cases of a user. */
export interface CasesOfUserDeps {
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly cases: WalkedCases & {
    /** The cases with these ULIDs, in the same order; those that are gone are left out. */
    findAll(accountId: string, ulids: readonly string[]): Promise<ReviewCase[]>;
  };
  readonly decisions: DecisionsOfUser;
}

/** As many cases as two reads of a batch return. */
const AT_ONCE = 200;

/** From when on every screening of the account is in the index of its user. */
const listedSinceMs = ({ keep_history, history_since_ms = 0 }: AccountSettings): number =>
  keep_history === false ? Number.POSITIVE_INFINITY : history_since_ms;

/**
 * Cases of a selection that belong to a user, in order of creation, in chunks. They are found in the user's history, so
 * it does not matter how many cases others have. What was screened while the account kept no history is not in it: for
 * that time all cases are walked through, and the caller picks the user's.
 */
export async function* casesOfUser(
  deps: CasesOfUserDeps,
  { account_id, settings }: Caller,
  { user_id, ...selection }: CaseSelection & { readonly user_id: string },
  walk: Walk = {},
): AsyncGenerator<readonly ReviewCase[], void, undefined> {
  const sinceMs = listedSinceMs(settings);
  const user = pseudonymOf(entityNames(account_id, await deps.pseudonyms()).user(user_id));
  const listed = { ...selection, fromMs: Math.max(selection.fromMs, sinceMs) };
  const unlisted = { ...selection, toMs: Math.min(selection.toMs, sinceMs) };
  const parts = [
    fromHistory(deps, { account_id, user }, listed, walk),
    walkCases(deps.cases, account_id, unlisted, walk),
  ];
  for (const part of walk.isOldestFirst ? parts.reverse() : parts) yield* part;
}

async function* fromHistory(
  { cases, decisions }: CasesOfUserDeps,
  { account_id, user }: { readonly account_id: string; readonly user: string },
  { fromMs, toMs, classes }: CaseSelection,
  { beyond, isOldestFirst = false }: Walk,
): AsyncGenerator<readonly ReviewCase[], void, undefined> {
  if (fromMs >= toMs) return;
  const [first, end] = [lowestUlid(fromMs), lowestUlid(toMs)];
  const from = isOldestFirst && beyond !== undefined && beyond > first ? beyond : first;
  const isSelected = ({ ulid, status }: ReviewCase): boolean =>
    ulid !== beyond && ulidTimeMs(ulid) >= fromMs && ulidTimeMs(ulid) < toMs && classes.includes(classOf(status));
  const collected: ReviewCase[] = [];
  let before = !isOldestFirst && beyond !== undefined && beyond < end ? beyond : end;
  while (from < before) {
    const wanted = { limit: AT_ONCE, decision: 'review' };
    const { ulids, next } = await decisions.ofUser(account_id, user, { from, before }, wanted);
    const found = (await cases.findAll(account_id, ulids)).filter(isSelected);
    if (isOldestFirst) collected.push(...found);
    else if (found.length > 0) yield found;
    if (next === undefined) break;
    before = next;
  }
  if (collected.length > 0) yield collected.reverse();
}
