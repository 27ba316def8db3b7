import {
  addCounters,
  type Counters,
  labelledCounters,
  screenedCounters,
} from '../../../../shared/domain/overview/overview-counters';
import { overviewSpan } from '../../../../shared/domain/overview/overview-span';
import { overviewAnswer } from '../../../../shared/http/presenters/overview-answer';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-14T12:34:56Z');

const record = (risk_score: number, automated_decision: 'allow' | 'review' | 'block', ...signals: string[]) => ({
  subject_type: 'transaction' as const,
  automated_decision,
  risk_score,
  contributions: signals.map((signal, i) => ({
    signal,
    points: signal === 'trusted_history' ? -3 : 10 + i,
    detail: '',
  })),
});
const NO_CASES = { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 };
const answerOf = (...parts: Counters[]) => {
  const span = overviewSpan(NOW - 2 * HOUR, NOW, NOW);
  return overviewAnswer({
    span,
    parts: new Map(parts.map((part, i) => [span.fromMs + i * HOUR, part])),
    cases: NO_CASES,
    ...{ desk: new Map(), before: undefined },
  });
};

describe('the figures of an account', () => {
  it('are by decision, kind, score and signal, and by hour without gaps', () => {
    const answer = answerOf(
      addCounters(
        screenedCounters(record(62, 'review', 'velocity_spike', 'new_device')),
        screenedCounters(record(100, 'block', 'velocity_spike', 'trusted_history')),
      ),
      screenedCounters({ ...record(3, 'allow'), subject_type: 'event' }),
    );
    expect(answer).toMatchObject({
      start_date: '2026-11-14T10:00:00.000Z',
      end_date: '2026-11-14T13:00:00.000Z',
      interval: 'hour',
      screenings: { total: 3, transactions: 2, events: 1, allow: 1, review: 1, block: 1 },
      decisions: [
        { at: '2026-11-14T10:00:00.000Z', allow: 0, challenge: 0, review: 1, block: 1 },
        { at: '2026-11-14T11:00:00.000Z', allow: 1, challenge: 0, review: 0, block: 0 },
        { at: '2026-11-14T12:00:00.000Z', allow: 0, challenge: 0, review: 0, block: 0 },
      ],
    });
    expect(answer.scores).toHaveLength(20);
    expect(answer.scores[12]).toMatchObject({ from: 60, to: 64, review: 1 });
    expect(answer.scores[19]).toMatchObject({ from: 95, to: 100, block: 1 });
    expect(answer.signals).toEqual([
      { signal: 'velocity_spike', count: 2, confirmed_fraud: 0, confirmed_legitimate: 0 },
      { signal: 'new_device', count: 1, confirmed_fraud: 0, confirmed_legitimate: 0 },
    ]);
  });

  it('follow the latest label: a second one takes the first back', () => {
    const flagged = record(62, 'review', 'velocity_spike');
    const first = labelledCounters(flagged, undefined, 'fraud');
    const second = labelledCounters(flagged, 'fraud', 'legitimate');
    const answer = answerOf(addCounters(screenedCounters(flagged), first, second));
    expect(answer.outcomes.review).toEqual({ confirmed_fraud: 0, confirmed_legitimate: 1 });
    expect(answer.scores[12]).toMatchObject({ confirmed_fraud: 0, confirmed_legitimate: 1 });
    expect(answer.signals[0]).toMatchObject({ confirmed_fraud: 0, confirmed_legitimate: 1 });
    expect(labelledCounters(flagged, 'fraud', 'fraud').size).toBe(0);
  });

  it('give precision as the share of resolved cases that were rejected', () => {
    const span = overviewSpan(NOW - HOUR, NOW, NOW);
    const of = (approved: number, rejected: number) =>
      overviewAnswer({
        ...{ span, parts: new Map(), cases: { ...NO_CASES, approved, rejected } },
        ...{ desk: new Map(), before: undefined },
      });
    expect([of(0, 0), of(1, 2), of(3, 0)].map(({ review_precision }) => review_precision)).toEqual([null, 0.6667, 0]);
  });

  it.each([
    [NOW - DAY, NOW, { interval: 'hour', from: '2026-11-13T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
    [NOW - 7 * DAY, NOW, { interval: 'hour', from: '2026-11-07T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
    [NOW - 30 * DAY, NOW, { interval: 'day', from: '2026-10-15T00:00:00.000Z', to: '2026-11-15T00:00:00.000Z' }],
    [
      NOW - 30 * DAY,
      NOW - 29 * DAY,
      { interval: 'day', from: '2026-10-15T00:00:00.000Z', to: '2026-10-17T00:00:00.000Z' },
    ],
    [NOW, NOW, { interval: 'hour', from: '2026-11-14T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
  ])('cover whole hours or days: %d to %d is %j', (start, end, expected) => {
    const span = overviewSpan(start, end, NOW);
    const [from, to] = [span.fromMs, span.toMs].map((ms) => new Date(ms).toISOString());
    expect({ interval: span.interval, from, to }).toEqual(expected);
  });
});
