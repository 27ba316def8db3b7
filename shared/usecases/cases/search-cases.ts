import type { Caller } from '../../domain/accounts/account';
import { type CaseCriteria, type CaseSort, caseMatcher, caseRank } from '../../domain/cases/case-search';
import { type CaseSelection, selectionOf } from '../../domain/cases/case-tally';
import type { CaseSearchPage, ReviewCase } from '../../domain/cases/review-case';
import { cursorUlid, decodeCursor, encodeCursor } from '../../domain/cursor';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { type CasesOfUserDeps, casesOfUser } from './cases-of-user';
import { type Walk, walkCases } from './walk-cases';

/** Dependencies of searching cases. */
export interface SearchCasesDeps extends CasesOfUserDeps {
  readonly clock: { now(): number };
}

export interface CaseSearch extends CaseCriteria {
  readonly status?: ReviewCase['status'] | undefined;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly sort: CaseSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Ranked {
  readonly reviewCase: ReviewCase;
  readonly rank: number;
}

const byRank = (a: Ranked, b: Ranked): number => b.rank - a.rank || (a.reviewCase.ulid < b.reviewCase.ulid ? 1 : -1);

/**
 * A page of the cases that match, in any order. In order of time, reading stops with the page; by score and amount, all
 * cases of the selection are read for every page, whichever it is; those of a user are found by an index. One case too
 * many tells whether there are more.
 */
export async function searchCases(deps: SearchCasesDeps, caller: Caller, search: CaseSearch): Promise<CaseSearchPage> {
  const atMs = deps.clock.now();
  const { sort, limit } = search;
  const selected = selectionOf(search.status, search.startMs, search.endMs, atMs);
  const selection = { ...selected, fromMs: Math.max(selected.fromMs, atMs - RETENTION_MS + 1) };
  const found =
    sort === 'newest' || sort === 'expires'
      ? await inOrderOfTime(deps, caller, selection, search)
      : await inOrderOfRank(deps, caller, selection, search);
  const cases = found.slice(0, limit);
  const last = cases.at(-1);
  const hasMore = found.length > limit;
  return { cases, limit, atMs, nextCursor: hasMore && last ? cursorOf(sort, last) : null };
}

const listOf = (sort: CaseSort): string => `cases.${sort}`;

const cursorOf = (sort: CaseSort, last: ReviewCase): string =>
  sort === 'newest' || sort === 'expires'
    ? encodeCursor(listOf(sort), last.ulid)
    : encodeCursor(listOf(sort), String(caseRank(sort, last)), last.ulid);

/** The cases that may match, in order of creation, in chunks. */
const candidates = (
  deps: SearchCasesDeps,
  caller: Caller,
  selection: CaseSelection,
  { user_id, ...walk }: Walk & Pick<CaseCriteria, 'user_id'>,
) =>
  user_id === undefined
    ? walkCases(deps.cases, caller.account_id, selection, walk)
    : casesOfUser(deps, caller, { ...selection, user_id }, walk);

async function inOrderOfTime(
  deps: SearchCasesDeps,
  caller: Caller,
  selection: CaseSelection,
  { sort, limit, cursor, ...criteria }: CaseSearch,
): Promise<ReviewCase[]> {
  const beyond = cursor === undefined ? undefined : cursorUlid(decodeCursor(cursor, listOf(sort), 1)[0]);
  const matches = caseMatcher(criteria, deps.clock.now());
  const found: ReviewCase[] = [];
  const walk = { beyond, isOldestFirst: sort === 'expires', user_id: criteria.user_id };
  for await (const chunk of candidates(deps, caller, selection, walk)) {
    found.push(...chunk.filter(matches));
    if (found.length > limit) break;
  }
  return found;
}

async function inOrderOfRank(
  deps: SearchCasesDeps,
  caller: Caller,
  selection: CaseSelection,
  { sort, limit, cursor, ...criteria }: CaseSearch,
): Promise<ReviewCase[]> {
  const [rank, ulid] = cursor === undefined ? [] : decodeCursor(cursor, listOf(sort), 2);
  const last = cursor === undefined ? undefined : { rank: Number(rank), ulid: cursorUlid(ulid) };
  const matches = caseMatcher(criteria, deps.clock.now());
  const isBeyond = (each: Ranked): boolean =>
    last === undefined || each.rank < last.rank || (each.rank === last.rank && each.reviewCase.ulid < last.ulid);
  let best: Ranked[] = [];
  for await (const chunk of candidates(deps, caller, selection, { user_id: criteria.user_id })) {
    const ranked = chunk
      .filter(matches)
      .map((reviewCase) => ({ reviewCase, rank: caseRank(sort, reviewCase) }))
      .filter(isBeyond);
    best = [...best, ...ranked].sort(byRank).slice(0, limit + 1);
  }
  return best.map(({ reviewCase }) => reviewCase);
}
