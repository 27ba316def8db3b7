import type { Caller } from '../../domain/accounts/account';
import { CASE_CLASSES, DAY_MS, selectionOf } from '../../domain/cases/case-tally';
import { addCounters, type Counters } from '../../domain/overview/overview-counters';
import {
  type CaseCounts,
  type Overview,
  type OverviewSpan,
  overviewSpan,
  type SpanCounts,
  spanBefore,
} from '../../domain/overview/overview-span';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { countCases, type ListCasesDeps } from '../cases/list-cases';

/** Dependencies of an overview. */
export interface AccountOverviewDeps {
  readonly clock: { now(): number };
  readonly counts: {
    /** Counters by the start of their hour or day: of screenings and labels, or of what analysts did. */
    read(accountId: string, span: OverviewSpan, about?: 'desk'): Promise<ReadonlyMap<number, Counters>>;
  };
  readonly cases: ListCasesDeps['cases'];
}

const DEFAULT_SPAN_MS = 7 * DAY_MS;

/** An account's counts over a span of time; nothing is kept for longer than 90 days. */
export async function accountOverview(
  deps: AccountOverviewDeps,
  caller: Caller,
  { startMs, endMs }: { readonly startMs?: number | undefined; readonly endMs?: number | undefined },
): Promise<Overview> {
  const nowMs = deps.clock.now();
  const until = Math.min(endMs ?? nowMs, nowMs);
  const since = Math.max(startMs ?? until - DEFAULT_SPAN_MS, nowMs - RETENTION_MS);
  const span = overviewSpan(Math.min(since, until), until, nowMs);
  const earlier = spanBefore(span);
  const isEmpty = span.fromMs >= span.toMs;
  const [counts, desk, before] = await Promise.all([
    countsOf(deps, caller.account_id, span, nowMs),
    isEmpty ? new Map<number, Counters>() : deps.counts.read(caller.account_id, span, 'desk'),
    isEmpty || earlier.fromMs < nowMs - RETENTION_MS ? undefined : countsOf(deps, caller.account_id, earlier, nowMs),
  ]);
  return { ...counts, desk: addCounters(...desk.values()), before };
}

async function countsOf(
  deps: AccountOverviewDeps,
  accountId: string,
  span: OverviewSpan,
  nowMs: number,
): Promise<SpanCounts> {
  const [parts, cases] = await Promise.all([
    span.fromMs < span.toMs ? deps.counts.read(accountId, span) : new Map<number, Counters>(),
    caseCounts(deps, accountId, span, nowMs),
  ]);
  return { span, parts, cases };
}

/** Directly from the tallies that lists are built from. */
async function caseCounts(
  { cases }: AccountOverviewDeps,
  accountId: string,
  { fromMs, toMs }: OverviewSpan,
  nowMs: number,
): Promise<CaseCounts> {
  if (fromMs >= toMs) return { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 };
  const [hours, open] = await Promise.all([
    cases.hours(accountId, fromMs, toMs - 1),
    countCases(cases, accountId, selectionOf('open', fromMs, toMs, nowMs)),
  ]);
  const sums = { unresolved: 0, approved: 0, rejected: 0 };
  for (const [at, counts] of hours) {
    if (at < fromMs || at >= toMs) continue;
    for (const caseClass of CASE_CLASSES) sums[caseClass] += counts[caseClass];
  }
  const { unresolved, approved, rejected } = sums;
  return {
    opened: unresolved + approved + rejected,
    open: Math.min(open, unresolved),
    approved,
    rejected,
    expired: Math.max(0, unresolved - open),
  };
}
