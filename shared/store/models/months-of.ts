import type { DecisionSpan } from '../../domain/screening/subjects/decision-span';
import { ulidTimeMs } from '../../domain/ulid';

const monthName = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The months of a span as they appear in keys, newest first. */
export function monthsOf({ from, before }: DecisionSpan): string[] {
  const months: string[] = [];
  const first = monthName(ulidTimeMs(from));
  for (let at = new Date(ulidTimeMs(before)); monthName(at.getTime()) >= first; at.setUTCDate(0))
    months.push(monthName(at.getTime()));
  return months;
}
