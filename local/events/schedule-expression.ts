/** When a rule fires: at an interval in milliseconds, or in the minutes that a cron expression matches. */
export type ScheduleExpression =
  | { readonly kind: 'rate'; readonly periodMs: number }
  | { readonly kind: 'cron'; matches(date: Date): boolean };

const UNITS_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function field(
  text: string,
  lowest: number,
  highest: number,
  names: readonly string[] = [],
): (value: number) => boolean {
  const number = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? named + lowest : Number(word);
    if (!Number.isInteger(value) || value < lowest || value > highest) throw new Error(`cron does not know ${word}`);
    return value;
  };
  const ranges = text.split(',').map((part) => {
    const [range = '', step] = part.split('/');
    const [from = '', to] = range.split('-');
    const everything = range === '*' || range === '?';
    const first = everything ? lowest : number(from);
    const last = everything || (step !== undefined && to === undefined) ? highest : number(to ?? from);
    return { first, last, step: step === undefined ? 1 : number(step) || 1 };
  });
  return (value) =>
    ranges.some(({ first, last, step }) => value >= first && value <= last && (value - first) % step === 0);
}

function cron(expression: string): (date: Date) => boolean {
  const [minute, hour, day, month, weekday, year, ...rest] = expression.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || !year || rest.length > 0)
    throw new Error(`cron(${expression}) needs six fields`);
  const tests = [
    [field(minute, 0, 59), (date: Date) => date.getUTCMinutes()],
    [field(hour, 0, 23), (date: Date) => date.getUTCHours()],
    [field(day, 1, 31), (date: Date) => date.getUTCDate()],
    [field(month, 1, 12, MONTHS), (date: Date) => date.getUTCMonth() + 1],
    [field(weekday, 1, 7, DAYS), (date: Date) => date.getUTCDay() + 1],
    [field(year, 1970, 2199), (date: Date) => date.getUTCFullYear()],
  ] as const;
  return (date) => tests.every(([test, read]) => test(read(date)));
}

const MINUTE_MS = 60_000;

/** Whether a rule that was enabled at `startMs` fires after one time and until another, however often. */
export function isDueBetween(schedule: ScheduleExpression, startMs: number, afterMs: number, untilMs: number): boolean {
  if (schedule.kind === 'rate') {
    const runsUntil = (ms: number): number => Math.floor((ms - startMs) / schedule.periodMs);
    return runsUntil(untilMs) > runsUntil(afterMs);
  }
  for (let ms = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS; ms <= untilMs; ms += MINUTE_MS) {
    if (schedule.matches(new Date(ms))) return true;
  }
  return false;
}

/** Reads `rate(n unit)` or `cron(…)` of EventBridge; throws on anything else, and on cron's L, W and #. */
export function parseSchedule(expression: string): ScheduleExpression {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count) return { kind: 'rate', periodMs: Number(count) * (UNITS_MS[unit] ?? 0) };
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? [];
  if (!fields) throw new Error(`the schedule ${expression} is neither a rate nor a cron expression`);
  return { kind: 'cron', matches: cron(fields) };
}
