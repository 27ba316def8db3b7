import type { Context } from 'aws-lambda';
import { ALL_SHARDS } from '../../shared/domain/cases/case-index';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { sweepMetrics } from '../../shared/runtime/metrics';
import { caseSweeper } from '../../shared/store/case-store';
import { openTable } from '../../shared/store/client';
import { type SweepCasesDeps, type SweepReport, sweepCases } from '../../shared/usecases/sweep-cases';

// What is under way when the time is nearly up may still finish.
const RESERVE_MS = 5_000;

type Deps = SweepCasesDeps & { readonly log: Log; readonly observe: (report: SweepReport) => void };

export const build =
  (deps: Deps) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const report = await sweepCases(deps, deadlineMs);
    deps.observe(report);
    deps.log.info('sweep', { operation: 'sweep-cases', ...report });
  };

export const handler = build({
  clock: systemClock,
  shards: ALL_SHARDS,
  cases: caseSweeper(openTable(config.tableName())),
  log: functionLogger('sweep-cases'),
  observe: sweepMetrics(config.stage()),
});
