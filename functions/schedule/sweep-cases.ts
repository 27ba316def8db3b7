import type { Context } from 'aws-lambda';
import { CASE_METRICS, OUTCOME_SWEEP_METRICS } from '../../shared/metrics/case-metrics';
import { metricValues } from '../../shared/metrics/define-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { EXPIRY_SHARDS } from '../../shared/store/cases/case-index';
import { caseSweeper } from '../../shared/store/cases/case-store';
import { OUTCOME_DUE_SHARDS } from '../../shared/store/keys';
import { heldOutcomeSweeper, outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { openTable } from '../../shared/store/sdk/client';
import { type MeasureCasesDeps, measureCases } from '../../shared/usecases/cases/measure-cases';
import { type SweepCasesDeps, sweepCases } from '../../shared/usecases/cases/sweep-cases';
import { sweepHeldOutcomes } from '../../shared/usecases/outcomes/apply-held-outcomes';

// Time kept back to finish work in progress and to measure the queue.
const RESERVE_MS = 20_000;

/** Applies outcomes that waited for a reference: as often as cases expire, and by the same rights. */
type SweepHeld = (deadlineMs: number) => ReturnType<typeof sweepHeldOutcomes>;

export const build =
  (deps: SweepCasesDeps & MeasureCasesDeps & { readonly log: Log; readonly sweepHeld: SweepHeld }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const { swept, backlogAgeMs, isUnfinished } = await sweepCases(deps, deadlineMs);
    const { open, oldestAgeMs } = await measureCases(deps);
    const held = await deps.sweepHeld(deadlineMs);
    const metrics = metricValues(CASE_METRICS, {
      CaseBacklogAge: backlogAgeMs / 1_000,
      OpenCases: open,
      OldestCaseAge: oldestAgeMs / 1_000,
    });
    const unfinished = isUnfinished || held.isUnfinished;
    const applied = metricValues(OUTCOME_SWEEP_METRICS, { HeldOutcomesApplied: held.applied });
    deps.log.info('sweep', { operation: 'sweep-cases', swept, unfinished }, [...metrics, ...applied]);
  };

const table = openTable(config.tableName());
const log = functionLogger('sweep-cases');

export const handler = build({
  clock: systemClock,
  sweepHeld: (deadlineMs) =>
    sweepHeldOutcomes(
      {
        clock: systemClock,
        shards: Array.from({ length: OUTCOME_DUE_SHARDS }, (_, shard) => shard),
        outside: outsideOutcomeStore(table),
        held: heldOutcomeSweeper(table),
        report: (problem, error) => log.error(problem, { error }),
      },
      deadlineMs,
    ),
  shards: EXPIRY_SHARDS,
  cases: caseSweeper(table),
  log,
});
