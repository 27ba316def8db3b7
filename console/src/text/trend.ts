import { shortTime } from './time';
import { percent } from './words';

const BEFORE = { hour: 'the week before', day: 'the days before' } as const;

/** `▲ 12% on the week before`: how a number has changed, without saying whether that is good. */
export function trendText(now: number, before: number, interval: 'hour' | 'day'): string {
  const name = BEFORE[interval];
  if (now === before) return `As in ${name}`;
  if (before === 0) return `None in ${name}`;
  const change = (now - before) / before;
  return `${change > 0 ? '▲' : '▼'} ${percent(Math.abs(change))} on ${name}`;
}

/** An average time in its largest units: `25 min`, `2 h 10 min`, `under a minute`. */
export function spanTime(seconds: number | null): string {
  if (seconds === null) return '–';
  const text = shortTime(seconds * 1000);
  return text === 'now' ? '< 1 min' : text;
}
