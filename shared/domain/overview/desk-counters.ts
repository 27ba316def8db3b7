import type { ReviewCase } from '../cases/review-case';
import type { Counters } from './overview-counters';

/*
 * Counts of an account's analysts, per hour and per day of the cases' creation, in separate items:
 * names come from the account, and however many there are, the counts of screenings are never in their way.
 *
 *   n:ana   cases that Ana resolved      r:ana   of those, rejected      t:ana   seconds from creation to resolution
 *   hour    cases that were resolved within an hour
 */
export const WITHIN_HOUR = 'hour';
const LONGEST_NAME = 64;
const HOUR_S = 3_600;

/** The work of one analyst. */
export interface AnalystCounts {
  /** Empty if nobody was named. */
  readonly analyst: string;
  readonly resolved: number;
  readonly rejected: number;
  readonly seconds: number;
}

type Resolved = Pick<ReviewCase, 'status' | 'created_at_ms' | 'resolved_at' | 'resolved_by'>;

/** Counters for a case that was just resolved. */
export function resolvedCounters({ status, created_at_ms, resolved_at, resolved_by }: Resolved): Counters {
  const analyst = (resolved_by ?? '').slice(0, LONGEST_NAME);
  const seconds = Math.max(0, Math.round((Date.parse(resolved_at ?? '') - created_at_ms) / 1000) || 0);
  return new Map([
    [`n:${analyst}`, 1],
    [`t:${analyst}`, seconds],
    ...(status === 'rejected' ? ([[`r:${analyst}`, 1]] as const) : []),
    ...(seconds <= HOUR_S ? ([[WITHIN_HOUR, 1]] as const) : []),
  ]);
}

/** The analysts in these counters, the busiest first. */
export function analystCounts(counters: Counters): AnalystCounts[] {
  const read = (name: string): number => Math.max(0, counters.get(name) ?? 0);
  return [...counters.keys()]
    .filter((name) => name.startsWith('n:'))
    .map((name) => {
      const analyst = name.slice(2);
      const [resolved, rejected] = [read(name), read(`r:${analyst}`)];
      return { analyst, resolved, rejected, seconds: read(`t:${analyst}`) };
    })
    .sort((a, b) => b.resolved - a.resolved || (a.analyst < b.analyst ? -1 : 1));
}
