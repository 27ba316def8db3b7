const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: ReadonlyArray<readonly [ms: number, short: string, long: string]> = [
  [DAY, 'd', 'day'],
  [HOUR, 'h', 'hour'],
  [MINUTE, 'min', 'minute'],
];

/** A length of time in its one or two largest units: `2 d 4 h`, `35 min`, `now` below a minute. */
export function shortTime(ms: number): string {
  return spell(ms, ([, short], count) => `${count} ${short}`, 'now');
}

/** The same for a screen reader: `2 days 4 hours`. */
export function spokenTime(ms: number): string {
  return spell(ms, ([, , long], count) => `${count} ${long}${count === 1 ? '' : 's'}`, 'less than a minute');
}

function spell(ms: number, word: (unit: (typeof UNITS)[number], count: number) => string, none: string): string {
  const first = UNITS.findIndex(([size]) => ms >= size);
  const unit = UNITS[first];
  if (!unit) return none;
  const count = Math.floor(ms / unit[0]);
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms % unit[0]) / next[0]) : 0;
  // Ten days and some hours are ten days.
  return next && rest > 0 && count < 10 ? `${word(unit, count)} ${word(next, rest)}` : word(unit, count);
}

const FULL = {
  ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
};

/** `14 Nov 2026, 09:30 CET`, in the analyst's own time zone, which it names. */
export const fullTime = (iso: string): string => new Date(iso).toLocaleString('en-GB', FULL);

/** `09:45 CET`: a time within the next hour. */
export const clockTime = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** The share of a span that is over, from 0 to 1. */
export function elapsedShare(startIso: string, endIso: string, nowMs: number): number {
  const [start, end] = [Date.parse(startIso), Date.parse(endIso)];
  return Math.min(1, Math.max(0, (nowMs - start) / (end - start)));
}

/** `3 h 5 min ago`, `just now`. */
export function timeAgo(iso: string, nowMs: number): string {
  const time = shortTime(nowMs - Date.parse(iso));
  return time === 'now' ? 'just now' : `${time} ago`;
}

const DAY_OF_WEEK = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** The hour or day of a chart's column, with its zone: hours are the analyst's own, days are counted in UTC. */
export const intervalLabel = (iso: string, interval: 'hour' | 'day'): string =>
  interval === 'hour'
    ? new Date(iso).toLocaleString('en-GB', {
        ...DAY_OF_WEEK,
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      })
    : `${new Date(iso).toLocaleDateString('en-GB', { ...DAY_OF_WEEK, timeZone: 'UTC' })} (UTC)`;
