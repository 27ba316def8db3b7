import type { RuleTrial } from '../domain/rules/rule-trial';

const percent = (share: number | null): string => (share === null ? 'unknown' : `${Math.round(share * 100)}%`);

type Tested = Pick<RuleTrial, 'matched' | 'days' | 'screened' | 'precision' | 'recall' | 'not_testable' | 'rows'> & {
  readonly interval: readonly number[];
  readonly flips: ReadonlyArray<{ readonly from: string; readonly to: string; readonly count: number }>;
};

/** The effect a rule would have had, in one line. */
export function ruleTestLine(name: string, tested: Tested): string {
  const { matched, interval, days, screened, flips, precision, recall, not_testable, rows } = tested;
  const changed = flips.map(({ from, to, count }) => `${count} ${from} → ${to}`).join(', ');
  return [
    `${name}: ${matched} of ${screened} in ${days} days (${interval[0]} to ${interval[1]}, from ${rows} rows)`,
    `changes ${changed || 'no decision'}`,
    `precision ${percent(precision)}, recall ${percent(recall)}`,
    ...(not_testable.length > 0 ? [`at most, because ${not_testable.join(', ')} cannot be tested`] : []),
  ].join('; ');
}
