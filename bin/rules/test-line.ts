import type { RuleTest } from '../../sdk/client/src';

const percent = (share: number | null): string => (share === null ? 'unknown' : `${Math.round(share * 100)}%`);

export function testLine(name: string, tested: RuleTest): string {
  const { matched, interval, days, screened, flips, precision, recall, not_testable, rows } = tested;
  const changed = flips.map(({ from, to, count }) => `${count} ${from} → ${to}`).join(', ');
  return [
    `${name}: ${matched} of ${screened} in ${days} days (${interval[0]} to ${interval[1]}, from ${rows} rows)`,
    `changes ${changed || 'no decision'}`,
    `precision ${percent(precision)}, recall ${percent(recall)}`,
    ...(not_testable.length > 0 ? [`at most, because ${not_testable.join(', ')} cannot be tested`] : []),
  ].join('; ');
}
