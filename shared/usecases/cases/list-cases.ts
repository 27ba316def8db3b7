import type { Caller } from '../../domain/accounts/account';
import {
  type CaseSelection,
  countIn,
  DAY_MS,
  dayStart,
  HOUR_MS,
  hourStart,
  MINUTE_MS,
  type Span,
  selectionOf,
  type Tally,
} from '../../domain/cases/case-tally';
import type { CasePage, ReviewCase } from '../../domain/cases/review-case';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';

/** Dependencies of listing cases. */
export interface ListCasesDeps {
  readonly clock: { now(): number };
  readonly cases: {
    hours(accountId: string, fromMs: number, toMs: number): Promise<Tally>;
    minutes(accountId: string, hourMs: number): Promise<Tally>;
    newest(accountId: string, selection: CaseSelection, limit: number): Promise<ReviewCase[]>;
    count(accountId: string, selection: CaseSelection): Promise<number>;
  };
}

export interface CaseFilter {
  readonly status?: ReviewCase['status'] | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** A stretch of time with a known number of matching cases; stretches never overlap. */
interface Part extends Span {
  readonly count: number;
}

/** The exact number of matching cases. */
export async function countCases(
  cases: ListCasesDeps['cases'],
  accountId: string,
  selection: CaseSelection,
): Promise<number> {
  if (selection.fromMs >= selection.toMs) return 0;
  const hours = await finder(cases, accountId, selection).hours();
  return hours.reduce((sum, { count }) => sum + count, 0);
}

/** A page of cases, newest first, with the exact number of all matches. */
export async function listCases(deps: ListCasesDeps, caller: Caller, filter: CaseFilter): Promise<CasePage> {
  const nowMs = deps.clock.now();
  const { status, startMs, endMs, limit, offset } = filter;
  const selected = selectionOf(status, startMs, endMs, nowMs);
  // Cases are kept as long as results are.
  const selection = { ...selected, fromMs: Math.max(selected.fromMs, nowMs - RETENTION_MS + 1) };
  const find = finder(deps.cases, caller.account_id, selection);
  const hours = selection.fromMs < selection.toMs ? await find.hours() : [];
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  const cases = offset < total ? await find.page(hours, offset, limit) : [];
  return { cases, total, limit, offset, atMs: nowMs };
}

function finder(cases: ListCasesDeps['cases'], accountId: string, selection: CaseSelection) {
  const { fromMs, toMs, classes } = selection;
  const within = (span: Span): CaseSelection => ({
    fromMs: Math.max(span.fromMs, fromMs),
    toMs: Math.min(span.toMs, toMs),
    classes,
  });
  const isWhole = (span: Span): boolean => span.fromMs >= fromMs && span.toMs <= toMs;

  /** The parts of a tally inside the span, newest first; `exact` counts those that the span cuts. */
  async function partsOf(tally: Tally, stepMs: number, exact: (span: Span) => Promise<number>): Promise<Part[]> {
    const starts = [...tally.keys()].filter((at) => at < toMs && at + stepMs > fromMs).sort((a, b) => b - a);
    return Promise.all(
      starts.map(async (at) => {
        const span = { fromMs: at, toMs: at + stepMs };
        const counted = countIn(tally.get(at), classes);
        return { ...span, count: counted === 0 || isWhole(span) ? counted : await exact(span) };
      }),
    );
  }

  const minutes = async (hourMs: number): Promise<Part[]> =>
    partsOf(await cases.minutes(accountId, hourMs), MINUTE_MS, (span) => cases.count(accountId, within(span)));

  /** Cases of one day from a bound downwards, with as many queries as the day has partitions. */
  async function fill(hours: readonly Part[], boundMs: number, skip: number, limit: number): Promise<ReviewCase[]> {
    const page: ReviewCase[] = [];
    const days = [...new Set(hours.filter(({ count }) => count > 0).map((hour) => dayStart(hour.fromMs)))];
    let toSkip = skip;
    for (const day of days.filter((start) => start < boundMs)) {
      const want = toSkip + limit - page.length;
      const span = within({ fromMs: day, toMs: Math.min(day + DAY_MS, boundMs) });
      const found = await cases.newest(accountId, span, want);
      page.push(...found.slice(toSkip));
      toSkip = Math.max(0, toSkip - found.length);
      if (page.length >= limit) break;
    }
    return page;
  }

  return {
    hours: async (): Promise<Part[]> => {
      const tally = await cases.hours(accountId, fromMs, toMs - 1);
      return partsOf(tally, HOUR_MS, async (hour) =>
        (await minutes(hourStart(hour.fromMs))).reduce((sum, { count }) => sum + count, 0),
      );
    },

    /** Skips whole hours, then whole minutes, by their tallies; only the rest is read. */
    page: async (hours: readonly Part[], offset: number, limit: number): Promise<ReviewCase[]> => {
      let skip = offset;
      for (const hour of hours) {
        if (skip >= hour.count) {
          skip -= hour.count;
          continue;
        }
        // Reading past one page is cheaper than looking it up.
        if (skip <= limit) return fill(hours, hour.toMs, skip, limit);
        for (const minute of await minutes(hour.fromMs)) {
          if (skip < minute.count) return fill(hours, minute.toMs, skip, limit);
          skip -= minute.count;
        }
      }
      return [];
    },
  };
}
