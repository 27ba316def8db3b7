import { resolvedCounters } from '../../../shared/domain/overview/desk-counters';
import {
  addCounters,
  missedCounters,
  movedCounters,
  screenedCounters,
} from '../../../shared/domain/overview/overview-counters';
import { overviewSpan, spanBefore } from '../../../shared/domain/overview/overview-span';
import { overviewAnswer } from '../../../shared/http/presenters/overview-answer';
import { openCase, screened } from '../../support/changes';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-14T12:34:56Z');
const NO_CASES = { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 };
const span = overviewSpan(NOW - DAY, NOW, NOW);
const answerOf = (...parts: ReturnType<typeof addCounters>[]) =>
  overviewAnswer({
    span,
    parts: new Map(parts.map((part, i) => [span.fromMs + i, part])),
    ...{ cases: NO_CASES, desk: new Map(), before: { span: spanBefore(span), parts: new Map(), cases: NO_CASES } },
  });

describe('money', () => {
  const held = screened(NOW, { automated_decision: 'review', amount: 100, currency: 'USD' });

  it('follows the decision in force: what a person rejects is no longer held, but blocked', () => {
    const opened = screenedCounters(held);
    expect(answerOf(opened)).toMatchObject({
      in_force: { review: 1, block: 0 },
      money: { blocked_usd: 0, held_usd: 100, missed_usd: 0 },
    });
    const rejected = addCounters(opened, movedCounters(held, 'review', 'block'));
    expect(answerOf(rejected)).toMatchObject({
      screenings: { review: 1, block: 0 },
      in_force: { review: 0, block: 1 },
      money: { blocked_usd: 100, held_usd: 0 },
    });
    const corrected = addCounters(rejected, movedCounters(held, 'block', 'allow'));
    expect(answerOf(corrected)).toMatchObject({
      in_force: { allow: 1, review: 0, block: 0 },
      money: { blocked_usd: 0, held_usd: 0 },
    });
    expect(movedCounters(held, 'block', 'block').size).toBe(0);
  });

  it('keeps nothing of what is allowed, until somebody outside reports it; a won dispute takes it back', () => {
    const paid = screened(NOW, { amount: 40.25, currency: 'USD' });
    expect([...screenedCounters(paid).keys()].filter((name) => name.startsWith('u:'))).toEqual([]);
    const reported = addCounters(screenedCounters(paid), missedCounters(paid, false, true));
    expect(answerOf(reported)).toMatchObject({ missed_fraud: 1, money: { missed_usd: 40.25 } });
    expect(answerOf(addCounters(reported, missedCounters(paid, true, false)))).toMatchObject({
      missed_fraud: 0,
      money: { missed_usd: 0 },
    });
  });

  it('does not count what a sandbox request forced, which is in no list', () => {
    const forced = screened(NOW, { automated_decision: 'block', decided_by: { kind: 'sandbox', name: null } });
    expect(answerOf(screenedCounters(forced))).toMatchObject({ in_force: { block: 0 }, money: { blocked_usd: 0 } });
  });
});

it('tells who resolved how many cases and how long they were open, the busiest first', () => {
  const resolved = (resolved_by: string | null, minutes: number, status: 'approved' | 'rejected') => {
    const resolved_at = new Date(NOW + minutes * 60_000).toISOString();
    return resolvedCounters(openCase(NOW, { status, resolved_by, resolved_at }));
  };
  const desk = addCounters(
    resolved('bo', 10, 'approved'),
    resolved('ana', 20, 'rejected'),
    resolved('ana', 120, 'approved'),
    resolved(null, 30, 'rejected'),
  );
  const answer = overviewAnswer({ span, parts: new Map(), cases: NO_CASES, desk, before: undefined });
  expect(answer.desk).toEqual({
    resolved: 4,
    within_hour: 3,
    average_seconds: 2_700,
    analysts: [
      { analyst: 'ana', resolved: 2, rejected: 1, average_seconds: 4_200 },
      { analyst: null, resolved: 1, rejected: 1, average_seconds: 1_800 },
      { analyst: 'bo', resolved: 1, rejected: 0, average_seconds: 600 },
    ],
  });
  expect(answer.previous).toBeNull();
});

it('compares hours with those of the week before, and days with as many days before', () => {
  const hours = (text: string) => Date.parse(`2026-11-${text}:00:00Z`);
  expect(spanBefore(span)).toEqual({ interval: 'hour', fromMs: hours('06T12'), toMs: hours('07T13') });
  const month = overviewSpan(NOW - 30 * DAY, NOW, NOW);
  const before = spanBefore(month);
  expect([before.toMs, before.toMs - before.fromMs]).toEqual([month.fromMs, month.toMs - month.fromMs]);
});
