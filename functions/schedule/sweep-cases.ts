import type { Context } from 'aws-lambda';
import { CASE_METRICS } from '../../shared/metrics/case-metrics';
import { metricValues } from '../../shared/metrics/define-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { ALL_SHARDS } from '../../shared/store/cases/case-index';
import { caseSweeper } from '../../shared/store/cases/case-store';
import { openTable } from '../../shared/store/sdk/client';
import { type MeasureCasesDeps, measureCases } from '../../shared/usecases/cases/measure-cases';
import { type SweepCasesDeps, sweepCases } from '../../shared/usecases/cases/sweep-cases';

// Time kept back to finish work in progress and to measure the queue.
const RESERVE_MS = 20_000;

export const build =
  (deps: SweepCasesDeps & MeasureCasesDeps & { readonly log: Log }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const { swept, backlogAgeMs, isUnfinished } = await sweepCases(deps, deadlineMs);
    const { open, oldestAgeMs } = await measureCases(deps);
    const metrics = metricValues(CASE_METRICS, {
      CasesSwept: swept,
      CaseBacklogAge: backlogAgeMs / 1_000,
      OpenCases: open,
      OldestCaseAge: oldestAgeMs / 1_000,
    });
    deps.log.info('sweep', { operation: 'sweep-cases', unfinished: isUnfinished }, metrics);
  };

export const handler = build({
  clock: systemClock,
  shards: ALL_SHARDS,
  cases: caseSweeper(openTable(config.tableName())),
  log: functionLogger('sweep-cases'),
});
