import type { Caller } from '../../domain/accounts/account';
import { type CaseCriteria, type CaseSort, caseMatcher, caseRank } from '../../domain/cases/case-search';
import { selectionOf } from '../../domain/cases/case-tally';
import type { CaseSearchPage, ReviewCase } from '../../domain/cases/review-case';
import { cursorUlid, decodeCursor, encodeCursor } from '../../domain/cursor';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { ulidTimeMs } from '../../domain/ulid';
import { type CasesOfUserDeps, casesOfUser } from './cases-of-user';
import { walkCases } from './walk-cases';

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

interface Ranked<Case = ReviewCase> {
  readonly reviewCase: Case;
  readonly rank: number;
}

type Position = Ranked<Pick<ReviewCase, 'ulid'>>;

const byRank = (a: Position, b: Position): number =>
  b.rank - a.rank || Number(a.reviewCase.ulid < b.reviewCase.ulid) - Number(a.reviewCase.ulid > b.reviewCase.ulid);

/** When a request stops reading: a queue of 100,000 is answered as fast as one of 600, by one or two reads of each partition. */
const MOST_READ = 600;

/**
 * A page of the cases that match, in any order. In order of time, reading stops with the page. By score and amount, the
 * newest cases of the selection are sorted, as many as a request reads, then the next ones. If nothing matches among
 * them, the page is empty and has a cursor. Those of a user are found by an index.
 */
export async function searchCases(deps: SearchCasesDeps, caller: Caller, search: CaseSearch): Promise<CaseSearchPage> {
  const atMs = deps.clock.now();
  const { sort, limit, cursor, ...criteria } = search;
  const selected = selectionOf(search.status, search.startMs, search.endMs, atMs);
  const selection = { ...selected, fromMs: Math.max(selected.fromMs, atMs - RETENTION_MS + 1) };
  const isByTime = sort === 'newest' || sort === 'expires';
  const { from, last } = positionOf(sort, cursor);
  const matches = caseMatcher(criteria, atMs);
  const walk = { beyond: from, isOldestFirst: sort === 'expires', ...(isByTime ? {} : { firstChunk: MOST_READ }) };
  const { user_id } = criteria;
  const found: Ranked[] = [];
  let read = 0;
  let stoppedAt: string | undefined;
  for await (const chunk of user_id === undefined
    ? walkCases(deps.cases, caller.account_id, selection, walk)
    : casesOfUser(deps, caller, { ...selection, user_id }, walk)) {
    const ranked = chunk.filter(matches).map((reviewCase) => ({ reviewCase, rank: caseRank(sort, reviewCase) }));
    found.push(...ranked.filter((each) => last === undefined || byRank(last, each) < 0));
    read += chunk.length;
    if (isByTime && found.length > limit) break;
    if (read >= MOST_READ) {
      stoppedAt = chunk.at(-1)?.ulid;
      break;
    }
  }
  if (!isByTime) found.sort(byRank);
  const page = found.slice(0, limit);
  const end = page.at(-1);
  const hasMore = found.length > limit && end !== undefined;
  const next = hasMore ? cursorOf(sort, from, end) : stoppedAt === undefined ? null : cursorOf(sort, stoppedAt);
  return {
    ...{ cases: page.map(({ reviewCase }) => reviewCase), limit, atMs, nextCursor: next },
    searchedToMs: stoppedAt === undefined ? undefined : ulidTimeMs(stoppedAt),
  };
}

const listOf = (sort: CaseSort): string => `cases.${sort}`;

/** By time, the last case of a page; by rank, also the case after which the cases that were sorted begin. */
const cursorOf = (sort: CaseSort, from: string | undefined, last?: Position): string =>
  sort === 'newest' || sort === 'expires'
    ? encodeCursor(listOf(sort), last?.reviewCase.ulid ?? from ?? '')
    : encodeCursor(listOf(sort), from ?? '', last ? String(last.rank) : '', last?.reviewCase.ulid ?? '');

function positionOf(sort: CaseSort, cursor: string | undefined) {
  if (cursor === undefined) return {};
  if (sort === 'newest' || sort === 'expires') return { from: cursorUlid(decodeCursor(cursor, listOf(sort), 1)[0]) };
  const [start = '', rank, last = ''] = decodeCursor(cursor, listOf(sort), 3);
  return {
    from: start === '' ? undefined : cursorUlid(start),
    last: last === '' ? undefined : { rank: Number(rank), reviewCase: { ulid: cursorUlid(last) } },
  };
}
