import { type Counters, ruleCounter } from '../overview/overview-counters';

/** How often rules matched, by name. */
export type RuleMatchCounts = ReadonlyMap<string, { readonly last_24h: number; readonly last_7d: number }>;

export const NEVER_MATCHED = { last_24h: 0, last_7d: 0 } as const;

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** Adds up hourly counters; the hour that the span begins in counts in full. */
export function ruleMatchCounts(
  hours: ReadonlyMap<number, Counters>,
  names: readonly string[],
  nowMs: number,
): RuleMatchCounts {
  const since = (span: number) => Math.floor((nowMs - span) / HOUR_MS) * HOUR_MS;
  const sum = (name: string, fromMs: number): number => {
    let total = 0;
    for (const [at, counters] of hours) if (at >= fromMs) total += counters.get(ruleCounter(name)) ?? 0;
    return total;
  };
  return new Map(
    names.map((name) => [name, { last_24h: sum(name, since(DAY_MS)), last_7d: sum(name, since(WEEK_MS)) }]),
  );
}
