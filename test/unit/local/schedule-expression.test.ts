import { isDueBetween, parseSchedule } from '../../../local/events/schedules';

describe('schedule expressions', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(30 days)', 2_592_000_000],
  ])('%s', (expression, periodMs) => {
    expect(parseSchedule(expression)).toBe(periodMs);
  });

  it.each(['at(2026-11-14T00:00:00)', 'rate(5 fortnights)', 'cron(0 3 * * ? *)'])('refuses %s', (expression) => {
    expect(() => parseSchedule(expression)).toThrow();
  });
});

describe('a rule', () => {
  const MINUTE = 60_000;
  const start = Date.UTC(2026, 10, 14, 10, 7, 30);
  it.each([
    ['rate(15 minutes)', 0, 14, false],
    ['rate(15 minutes)', 0, 15, true],
    ['rate(15 minutes)', 15, 29, false],
    // A clock that jumps: once is enough.
    ['rate(15 minutes)', 15, 3 * 1440, true],
    ['rate(30 days)', 0, 29 * 1440, false],
  ])('%s is due after %d and until %d minutes: %s', (expression, after, until, expected) => {
    const schedule = parseSchedule(expression);
    expect(isDueBetween(schedule, start, start + after * MINUTE, start + until * MINUTE)).toBe(expected);
  });
});
