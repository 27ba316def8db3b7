import { type AnalystCounts, analystCounts, WITHIN_HOUR } from '../../domain/overview/desk-counters';
import {
  addCounters,
  BAND_POINTS,
  BANDS,
  bandCounter,
  type Counters,
  centsCounter,
  DECISIONS,
  decisionCounter,
  type LABELS,
  MISSED,
  movedCounter,
  signalCounter,
  signalOfCounter,
} from '../../domain/overview/overview-counters';
import { INTERVAL_MS, type Overview, type SpanCounts } from '../../domain/overview/overview-span';
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

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;
const shareOf = (part: number, rest: number): number | null =>
  part + rest === 0 ? null : rounded(part / (part + rest));
const usd = (of: Counters, name: string): number => read(of, name) / 100;

function totalsOf({ span, parts, cases }: SpanCounts) {
  const sum = addCounters(...parts.values());
  // A person's word moves screenings from one decision to another.
  const current = (decision: Decision): number =>
    Math.max(0, read(sum, decision) + (sum.get(movedCounter(decision)) ?? 0));
  const blocks = confirmed(sum, (label) => decisionCounter('block', label));
  return {
    start_date: iso(span.fromMs),
    end_date: iso(span.toMs),
    screenings: {
      total: DECISIONS.reduce((total, decision) => total + read(sum, decision), 0),
      transactions: read(sum, 'transaction'),
      events: read(sum, 'event'),
      ...byDecision(sum, (decision) => decision),
    },
    in_force: {
      ...{ allow: current('allow'), challenge: current('challenge') },
      ...{ review: current('review'), block: current('block') },
    },
    money: {
      blocked_usd: usd(sum, centsCounter('block')),
      held_usd: usd(sum, centsCounter('review')),
      missed_usd: usd(sum, centsCounter(MISSED)),
    },
    missed_fraud: read(sum, MISSED),
    cases,
    review_precision: shareOf(cases.rejected, cases.approved),
    block_precision: shareOf(blocks.confirmed_fraud, blocks.confirmed_legitimate),
  };
}

const MOST_ANALYSTS = 100;

function deskAnswer(counters: Counters) {
  const all = analystCounts(counters);
  const sum = (of: (each: AnalystCounts) => number): number => all.reduce((total, each) => total + of(each), 0);
  const average = (seconds: number, resolved: number): number | null =>
    resolved === 0 ? null : Math.round(seconds / resolved);
  const resolved = sum((each) => each.resolved);
  return {
    resolved,
    within_hour: read(counters, WITHIN_HOUR),
    average_seconds: average(
      sum(({ seconds }) => seconds),
      resolved,
    ),
    analysts: all.slice(0, MOST_ANALYSTS).map(({ analyst, seconds, ...each }) => ({
      analyst: analyst === '' ? null : analyst,
      ...{ resolved: each.resolved, rejected: each.rejected },
      average_seconds: average(seconds, each.resolved),
    })),
  };
}

export function overviewAnswer({ desk, before, ...counts }: Overview): AnswerOf<typeof overview> {
  const { span, parts } = counts;
  const { interval, fromMs, toMs } = span;
  const sum = addCounters(...parts.values());
  const starts = Array.from({ length: Math.max(0, (toMs - fromMs) / INTERVAL_MS[interval]) }, (_, index) => {
    return fromMs + index * INTERVAL_MS[interval];
  });
  const signals = [...sum.keys()].flatMap((name) => signalOfCounter(name) ?? []);
  const outcomes = (decision: Decision) => confirmed(sum, (label) => decisionCounter(decision, label));
  return {
    ...totalsOf(counts),
    interval,
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
    desk: deskAnswer(desk),
    previous: before ? totalsOf(before) : null,
  };
}
