/** What a sweep needs from the outside. */
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

/** What a sweep did, for metrics. */
export interface SweepReport {
  readonly swept: number;
  /** How late the most overdue case was when the sweep came to it. */
  readonly backlogAgeMs: number;
  /** The time was up before the backlog was: the next sweep goes on. */
  readonly isUnfinished: boolean;
}

const BATCH = 100;
const AT_ONCE = 10;

/**
 * Expires what is due, in batches, until nothing is left or the time is up. Every step is conditional, so two sweeps at
 * once share the work and a crash loses nothing: reads judge expiry by the clock in any case.
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
      // The index lags behind the table: a batch in which nothing was left to do is the end, not a loop.
      if (due.length < BATCH || expired === 0) break;
    }
  }
  return { swept, backlogAgeMs: startedAtMs - oldestDueMs, isUnfinished: false };
}
