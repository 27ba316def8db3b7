import { LineFault } from '../replay/history-line';

const YEAR_FIRST = String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})`;
const MONTH_FIRST = String.raw`(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4}|\d{2})`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?: ?(?<half>[AaPp])[Mm])?`;
/** The times that Amazon's format allows beside ISO 8601, none of which names a zone: they are UTC. */
const FORMS = [YEAR_FIRST, MONTH_FIRST].map((date) => new RegExp(`^${date}(?:[ T]+${CLOCK})?$`));

function hoursOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/**
 * A time as Amazon's CSV may have it, as ISO 8601 or a number: with slashes, the month first, AM and PM, or seconds since
 * 1970. `Date` would read those in the zone of this machine. What has none of these forms is returned as it is.
 * @throws LineFault for a day that no month has
 */
export function afdTime(text: string): string | number {
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return Number(text);
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return text;
  const number = (name: string): number => Number(groups[name] ?? 0);
  const year = number('year') < 100 ? 2000 + number('year') : number('year');
  const hour = hoursOf(number('hour'), groups.half);
  const at = new Date(Date.UTC(year, number('month') - 1, number('day'), hour, number('minute'), number('second')));
  // The 31st of February would otherwise become a day of March, and 13/24/2022 one of the next year.
  const isReal = at.getUTCMonth() === number('month') - 1 && at.getUTCDate() === number('day');
  if (!isReal || hour > 23 || number('minute') > 59) throw new LineFault(`"${text}" is not a date of the calendar`);
  return at.toISOString();
}
