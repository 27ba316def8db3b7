import { isDueBetween, parseSchedule } from '../../../local/events/schedules';

describe('schedule expressions', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(30 days)', 2_592_000_000],
  ])('%s', (expression, periodMs) => {
    expect(parseSchedule(expression)).toEqual({ kind: 'rate', periodMs });
  });

  it.each([
    ['cron(0 3 * * ? *)', '2026-11-14T03:00:30Z', true],
    ['cron(0 3 * * ? *)', '2026-11-14T03:01:00Z', false],
    ['cron(*/15 * * * ? *)', '2026-11-14T07:45:00Z', true],
    ['cron(*/15 * * * ? *)', '2026-11-14T07:46:00Z', false],
    ['cron(0 9 ? * MON-FRI *)', '2026-11-16T09:00:00Z', true],
    ['cron(0 9 ? * MON-FRI *)', '2026-11-15T09:00:00Z', false],
    ['cron(0 0 1 JAN,JUL ? 2027)', '2027-07-01T00:00:00Z', true],
    ['cron(0 0 1 JAN,JUL ? 2027)', '2026-07-01T00:00:00Z', false],
  ])('%s at %s: %s', (expression, time, expected) => {
    const schedule = parseSchedule(expression);
    expect(schedule.kind === 'cron' && schedule.matches(new Date(time))).toBe(expected);
  });

  it.each([
    'at(2026-11-14T00:00:00)',
    'rate(5 fortnights)',
    'cron(0 0 L * ? *)',
    'cron(0 0 * * *)',
    'cron(0 0 ? * 6#3 *)',
  ])('refuses %s', (expression) => {
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
    ['cron(0 3 * * ? *)', 0, 16 * 60, false],
    ['cron(0 3 * * ? *)', 0, 17 * 60, true],
    ['cron(0 3 * * ? *)', 17 * 60, 18 * 60, false],
  ])('%s is due after %d and until %d minutes: %s', (expression, after, until, expected) => {
    const schedule = parseSchedule(expression);
    expect(isDueBetween(schedule, start, start + after * MINUTE, start + until * MINUTE)).toBe(expected);
  });
});
