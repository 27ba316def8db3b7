import { type CaseClass, DAY_MS, dayStart, HOUR_MS, hourStart, MINUTE_MS } from '../../domain/cases/case-tally';
import type { ReviewCase } from '../../domain/cases/review-case';
import { ulidFraction, ulidTimeMs } from '../../domain/ulid';
import { CASE_DUE_SHARDS } from '../keys';

/**
 * Cases of an account and day are spread over this many partitions, and so are their tallies. Every list reads all of
 * them, so keep it low (ADR 0006). The constant may only grow, and not beyond where the shards of busy days begin.
 */
const CASE_SHARDS = 4;

/** Where cases go in addition while so many open that their tallies or lists cannot take them (ADR 0033). */
const BUSY_DAY_SHARDS = 32;

const numbers = (from: number, length: number): readonly number[] => Array.from({ length }, (_, at) => from + at);

export const ALL_SHARDS: readonly number[] = numbers(0, CASE_SHARDS);
export const BUSY_SHARDS: readonly number[] = numbers(CASE_SHARDS, BUSY_DAY_SHARDS);
export const EXPIRY_SHARDS: readonly number[] = numbers(0, CASE_DUE_SHARDS);

/** The shard of a case, from the last (random) character of its ULID. */
export const shardOf = (ulid: string): number => ulid.charCodeAt(ulid.length - 1) % CASE_SHARDS;

export const busyShardOf = (ulid: string): number => CASE_SHARDS + Math.floor(ulidFraction(ulid) * BUSY_DAY_SHARDS);

export const caseShard = ({ ulid, shard }: Pick<ReviewCase, 'ulid' | 'shard'>): number => shard ?? shardOf(ulid);

/** `2026-11-14`. */
export const dayName = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `09`: the hour of the day, UTC. */
export const hourName = (ms: number): string => new Date(ms).toISOString().slice(11, 13);

/** Where a case is counted: its day's tally by hour, its hour's tally by minute. */
export function tallyPosition(ulid: string) {
  const createdMs = ulidTimeMs(ulid);
  return {
    dayMs: dayStart(createdMs),
    hour: Math.floor((createdMs % DAY_MS) / HOUR_MS),
    hourMs: hourStart(createdMs),
    minute: Math.floor((createdMs % HOUR_MS) / MINUTE_MS),
  };
}

/** The name of a counter in a tally item: the class's initial and the part number, `u9` or `a41`. */
export const counterName = (caseClass: CaseClass, part: number): string => `${caseClass.charAt(0)}${part}`;
