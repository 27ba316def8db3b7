/** Dependencies of sweeping cases. */
export interface SweepCasesDeps {
  readonly clock: { now(): number };
  readonly shards: readonly number[];
  readonly cases: {
    due(shard: number, nowMs: number, limit: number): Promise<Due[]>;
    expire(due: Due, nowMs: number): Promise<boolean>;
  };
}

interface Due {
  readonly pk: string;
  readonly sk: string;
  readonly dueAt: string;
}

/** The result of a sweep, for metrics. */
export interface SweepReport {
  readonly swept: number;
  /** How late the most overdue case was when the sweep reached it. */
  readonly backlogAgeMs: number;
  /** Time ran out before the backlog was empty: the next sweep continues. */
  readonly isUnfinished: boolean;
}

const BATCH = 100;
const AT_ONCE = 10;

/**
 * Expires what is due, in batches, until nothing is left or time runs out. Every step is conditional, so concurrent
 * sweeps share the work and a crash loses nothing: reads determine expiry by the clock in any case.
 */
export async function sweepCases(deps: SweepCasesDeps, deadlineMs: number): Promise<SweepReport> {
  const startedAtMs = deps.clock.now();
  let swept = 0;
  let oldestDueMs = startedAtMs;
  for (const shard of deps.shards) {
    for (;;) {
      const nowMs = deps.clock.now();
      if (nowMs >= deadlineMs) return { swept, backlogAgeMs: startedAtMs - oldestDueMs, isUnfinished: true };
      const due = await deps.cases.due(shard, nowMs, BATCH);
      for (const { dueAt } of due) oldestDueMs = Math.min(oldestDueMs, Date.parse(dueAt));
      let expired = 0;
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const done = await Promise.all(due.slice(at, at + AT_ONCE).map((each) => deps.cases.expire(each, nowMs)));
        expired += done.filter(Boolean).length;
      }
      swept += expired;
      // The index lags behind the table: a batch with nothing left to do is the end, not a loop.
      if (due.length < BATCH || expired === 0) break;
    }
  }
  return { swept, backlogAgeMs: startedAtMs - oldestDueMs, isUnfinished: false };
}
