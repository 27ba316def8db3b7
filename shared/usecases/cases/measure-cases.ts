import { CASE_LIFE_MS } from '../../domain/cases/review-case';

/** Dependencies of measuring the case queue. */
export interface MeasureCasesDeps {
  readonly clock: { now(): number };
  readonly shards: readonly number[];
  readonly cases: {
    waiting(shard: number, nowMs: number): Promise<{ readonly count: number; readonly firstDueAt: string | undefined }>;
  };
}

/** The state of the queue for an analysts' team lead, over all accounts. */
export interface OpenCases {
  readonly open: number;
  /** 0 if none is waiting. */
  readonly oldestAgeMs: number;
}

/** Counts the cases that wait for an analyst: about 0.02 read units per case, as its index entry holds only keys. */
export async function measureCases({ clock, shards, cases }: MeasureCasesDeps): Promise<OpenCases> {
  const nowMs = clock.now();
  const measured = await Promise.all(shards.map((shard) => cases.waiting(shard, nowMs)));
  const openedAtMs = measured.flatMap(({ firstDueAt }) => (firstDueAt ? [Date.parse(firstDueAt) - CASE_LIFE_MS] : []));
  return {
    open: measured.reduce((sum, { count }) => sum + count, 0),
    oldestAgeMs: openedAtMs.length === 0 ? 0 : nowMs - Math.min(...openedAtMs),
  };
}
