import { type CaseClass, DAY_MS, dayStart, HOUR_MS, hourStart, MINUTE_MS } from '../../domain/cases/case-tally';
import { ulidTimeMs } from '../../domain/ulid';

/**
 * Cases of an account and day are spread over this many partitions, and so are their tallies: an account that opens
 * 1,000 cases per second writes 250 per second to each. Every list reads all of them, so keep it low (ADR 0006).
 */
export const CASE_SHARDS = 4;

export const ALL_SHARDS: readonly number[] = Array.from({ length: CASE_SHARDS }, (_, shard) => shard);

/** The shard of a case, from the last (random) character of its ULID. */
export const shardOf = (ulid: string): number => ulid.charCodeAt(ulid.length - 1) % CASE_SHARDS;

/** `2026-11-14`. */
export const dayName = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `09`: the hour of the day, UTC. */
export const hourName = (ms: number): string => new Date(ms).toISOString().slice(11, 13);

/** Where a case is counted: its day's tally by hour, its hour's tally by minute. */
export function tallyPosition(ulid: string) {
  const createdMs = ulidTimeMs(ulid);
  return {
    shard: shardOf(ulid),
    dayMs: dayStart(createdMs),
    hour: Math.floor((createdMs % DAY_MS) / HOUR_MS),
    hourMs: hourStart(createdMs),
    minute: Math.floor((createdMs % HOUR_MS) / MINUTE_MS),
  };
}

/** The name of a counter in a tally item: the class's initial and the part number, `u9` or `a41`. */
export const counterName = (caseClass: CaseClass, part: number): string => `${caseClass.charAt(0)}${part}`;
