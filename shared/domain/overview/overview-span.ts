import { DAY_MS, HOUR_MS, type Span } from '../cases/case-tally';
import type { Counters } from './overview-counters';

export type Interval = 'hour' | 'day';
export const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS } as const satisfies Record<Interval, number>;

/** Hours are kept for as long as an overview is given by hours, and a day more. */
export const HOURLY_MS = 8 * DAY_MS;

/** A span of whole hours or whole days: the figures know no finer time. */
export interface OverviewSpan extends Span {
  readonly interval: Interval;
}

/** The span that an overview covers: by hours up to a week or so back, by days beyond. */
export function overviewSpan(startMs: number, endMs: number, nowMs: number): OverviewSpan {
  const interval: Interval = endMs - startMs <= HOURLY_MS && startMs >= nowMs - HOURLY_MS ? 'hour' : 'day';
  const stepMs = INTERVAL_MS[interval];
  return { interval, fromMs: Math.floor(startMs / stepMs) * stepMs, toMs: Math.ceil(endMs / stepMs) * stepMs };
}

/** Cases opened in the span, by what they are now. */
export interface CaseFigures {
  readonly opened: number;
  readonly open: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
}

/** An account's figures over a span. */
export interface Overview {
  readonly span: OverviewSpan;
  /** Counters by the start of their hour or day. */
  readonly parts: ReadonlyMap<number, Counters>;
  readonly cases: CaseFigures;
}
