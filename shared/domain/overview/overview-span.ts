import { DAY_MS, HOUR_MS, type Span } from '../cases/case-tally';
import type { Counters } from './overview-counters';

export type Interval = 'hour' | 'day';
export const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS } as const satisfies Record<Interval, number>;

/** Hourly counters are kept for as long as an overview shows hours, plus a day. */
export const HOURLY_MS = 8 * DAY_MS;

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

/** Cases opened in the span, by their current status. */
export interface CaseCounts {
  readonly opened: number;
  readonly open: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
}

/** An account's counts over a span. */
export interface Overview {
  readonly span: OverviewSpan;
  /** Counters by the start of their hour or day. */
  readonly parts: ReadonlyMap<number, Counters>;
  readonly cases: CaseCounts;
}
