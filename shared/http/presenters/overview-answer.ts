import {
  addCounters,
  BAND_POINTS,
  BANDS,
  bandCounter,
  type Counters,
  DECISIONS,
  decisionCounter,
  type LABELS,
  signalCounter,
  signalOfCounter,
} from '../../domain/overview/overview-counters';
import { INTERVAL_MS, type Overview } from '../../domain/overview/overview-span';
import type { AnswerOf } from '../../schemas/answer-of';
import type { overview } from '../../schemas/overview';

type Decision = (typeof DECISIONS)[number];
type Label = (typeof LABELS)[number];

const iso = (ms: number): string => new Date(ms).toISOString();

// A label may be taken back before its subject is counted: never below zero.
const read = (of: Counters | undefined, name: string): number => Math.max(0, of?.get(name) ?? 0);

const byDecision = (of: Counters | undefined, name: (decision: Decision) => string) => ({
  allow: read(of, name('allow')),
  challenge: read(of, name('challenge')),
  review: read(of, name('review')),
  block: read(of, name('block')),
});

const confirmed = (of: Counters, name: (label: Label) => string) => ({
  confirmed_fraud: read(of, name('fraud')),
  confirmed_legitimate: read(of, name('legitimate')),
});

/** An account's counts over a span. */
export function overviewAnswer({ span, parts, cases }: Overview): AnswerOf<typeof overview> {
  const { interval, fromMs, toMs } = span;
  const sum = addCounters(...parts.values());
  const starts = Array.from({ length: Math.max(0, (toMs - fromMs) / INTERVAL_MS[interval]) }, (_, index) => {
    return fromMs + index * INTERVAL_MS[interval];
  });
  const signals = [...sum.keys()].flatMap((name) => signalOfCounter(name) ?? []);
  const outcomes = (decision: Decision) => confirmed(sum, (label) => decisionCounter(decision, label));
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
      ...confirmed(sum, (label) => bandCounter(band, label)),
    })),
    signals: signals
      .map((signal) => ({
        signal,
        count: read(sum, signalCounter(signal)),
        ...confirmed(sum, (label) => signalCounter(signal, label)),
      }))
      .sort((a, b) => b.count - a.count || (a.signal < b.signal ? -1 : 1)),
    outcomes: {
      allow: outcomes('allow'),
      challenge: outcomes('challenge'),
      review: outcomes('review'),
      block: outcomes('block'),
    },
    cases,
    review_precision: decided === 0 ? null : Math.round((cases.rejected / decided) * 10_000) / 10_000,
  };
}
