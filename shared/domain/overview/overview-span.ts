import { DAY_MS, HOUR_MS, type Span } from '../cases/case-tally';
import type { Counters } from './overview-counters';

export type Interval = 'hour' | 'day';
export const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS } as const satisfies Record<Interval, number>;

const HOURLY_MS = 8 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/** Hours are counted for as long as they are shown, or compared with those of a week later. */
export const COUNTED_HOURS_MS = HOURLY_MS + WEEK_MS;

/** A span of whole hours or whole days: counters have no finer resolution. */
export interface OverviewSpan extends Span {
  readonly interval: Interval;
}

/** The span that an overview covers: by hour up to about a week back, by day beyond that. */
export function overviewSpan(startMs: number, endMs: number, nowMs: number): OverviewSpan {
  const interval: Interval = endMs - startMs <= HOURLY_MS && startMs >= nowMs - HOURLY_MS ? 'hour' : 'day';
  const stepMs = INTERVAL_MS[interval];
  return { interval, fromMs: Math.floor(startMs / stepMs) * stepMs, toMs: Math.ceil(endMs / stepMs) * stepMs };
}

/** The span to compare with: the previous week where hours are shown, else the same number of days before. */
export function spanBefore({ interval, fromMs, toMs }: OverviewSpan): OverviewSpan {
  const backMs = interval === 'hour' ? WEEK_MS : toMs - fromMs;
  return { interval, fromMs: fromMs - backMs, toMs: toMs - backMs };
}

/** Cases opened in the span, by their current status. */
export interface CaseCounts {
  readonly opened: number;
  readonly open: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
}

/** An account's counts over a span. */
export interface SpanCounts {
  readonly span: OverviewSpan;
  readonly parts: ReadonlyMap<number, Counters>;
  readonly cases: CaseCounts;
}

/** An account's counts over a span, its analysts' work, and the span before. */
export interface Overview extends SpanCounts {
  readonly desk: Counters;
  readonly before: SpanCounts | undefined;
}
