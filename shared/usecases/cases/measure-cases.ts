import { CASE_LIFE_MS } from '../../domain/cases/review-case';

/** What measuring needs from the outside. */
export interface MeasureCasesDeps {
  readonly clock: { now(): number };
  readonly shards: readonly number[];
  readonly cases: {
    waiting(shard: number, nowMs: number): Promise<{ readonly count: number; readonly firstDueAt: string | undefined }>;
  };
}

/** What an analyst's team lead wants to know of the queue, over all accounts. */
export interface OpenCases {
  readonly open: number;
  /** 0 while none waits. */
  readonly oldestAgeMs: number;
}

/** Counts what waits for an analyst: about 0.02 read units a case, as its index entry holds keys only. */
export async function measureCases({ clock, shards, cases }: MeasureCasesDeps): Promise<OpenCases> {
  const nowMs = clock.now();
  const measured = await Promise.all(shards.map((shard) => cases.waiting(shard, nowMs)));
  const openedAtMs = measured.flatMap(({ firstDueAt }) => (firstDueAt ? [Date.parse(firstDueAt) - CASE_LIFE_MS] : []));
  return {
    open: measured.reduce((sum, { count }) => sum + count, 0),
    oldestAgeMs: openedAtMs.length === 0 ? 0 : nowMs - Math.min(...openedAtMs),
  };
}
