import { DAY_MS, HOUR_MS, type Span } from '../cases/case-tally';
import {
  addCounters,
  BAND_POINTS,
  BANDS,
  bandCounter,
  type Counters,
  DECISIONS,
  decisionCounter,
  LABELS,
  signalCounter,
  signalOfCounter,
} from './overview-counters';

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

const iso = (ms: number): string => new Date(ms).toISOString();

/** An account's figures over a span, as GET answers them. */
export function overviewAnswer(
  { interval, fromMs, toMs }: OverviewSpan,
  parts: ReadonlyMap<number, Counters>,
  cases: CaseFigures,
): object {
  const sum = addCounters(...parts.values());
  // A label may be taken back before what it labelled is counted: never below nothing.
  const read = (of: Counters | undefined, name: string): number => Math.max(0, of?.get(name) ?? 0);
  const byDecision = (of: Counters | undefined, name: (decision: (typeof DECISIONS)[number]) => string) =>
    Object.fromEntries(DECISIONS.map((decision) => [decision, read(of, name(decision))]));
  const confirmed = (name: (label: (typeof LABELS)[number]) => string) =>
    Object.fromEntries(LABELS.map((label) => [`confirmed_${label}`, read(sum, name(label))]));

  const starts = Array.from({ length: Math.max(0, (toMs - fromMs) / INTERVAL_MS[interval]) }, (_, index) => {
    return fromMs + index * INTERVAL_MS[interval];
  });
  const signals = [...sum.keys()].flatMap((name) => signalOfCounter(name) ?? []);
  const decided = cases.approved + cases.rejected;
  return {
    start_date: iso(fromMs),
    end_date: iso(toMs),
    interval,
    screenings: {
      total: DECISIONS.reduce((total, decision) => total + read(sum, decision), 0),
      transactions: read(sum, 'transaction'),
      events: read(sum, 'event'),
      ...byDecision(sum, (decision) => decision),
    },
    decisions: starts.map((at) => ({ at: iso(at), ...byDecision(parts.get(at), (decision) => decision) })),
    scores: Array.from({ length: BANDS }, (_, band) => ({
      from: band * BAND_POINTS,
      to: band === BANDS - 1 ? 100 : (band + 1) * BAND_POINTS - 1,
      ...byDecision(sum, (decision) => bandCounter(band, decision)),
      ...confirmed((label) => bandCounter(band, label)),
    })),
    signals: signals
      .map((signal) => ({
        signal,
        count: read(sum, signalCounter(signal)),
        ...confirmed((label) => signalCounter(signal, label)),
      }))
      .sort((a, b) => b.count - a.count || (a.signal < b.signal ? -1 : 1)),
    outcomes: Object.fromEntries(
      DECISIONS.map((decision) => [decision, confirmed((label) => decisionCounter(decision, label))]),
    ),
    cases,
    review_precision: decided === 0 ? null : Math.round((cases.rejected / decided) * 10_000) / 10_000,
  };
}
