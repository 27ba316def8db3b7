import type { Context } from 'aws-lambda';
import { metricValues } from '../../shared/metrics/define-metrics';
import { OUTCOME_SWEEP_METRICS } from '../../shared/metrics/outcome-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { OUTCOME_DUE_SHARDS } from '../../shared/store/keys';
import { heldOutcomeSweeper, outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { screeningReader } from '../../shared/store/screening/screening-store';
import { openTable } from '../../shared/store/sdk/client';
import { type SweepHeldDeps, sweepHeldOutcomes } from '../../shared/usecases/outcomes/apply-held-outcomes';

// Time kept back to finish the reference in progress.
const RESERVE_MS = 10_000;

export const build =
  (deps: SweepHeldDeps & { readonly log: Log }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const { applied, isUnfinished } = await sweepHeldOutcomes(deps, deadlineMs);
    const metrics = metricValues(OUTCOME_SWEEP_METRICS, { HeldOutcomesApplied: applied });
    deps.log.info('sweep', { operation: 'sweep-outcomes', unfinished: isUnfinished }, metrics);
  };

const table = openTable(config.tableName());
const log = functionLogger('sweep-outcomes');

export const handler = build({
  clock: systemClock,
  log,
  shards: Array.from({ length: OUTCOME_DUE_SHARDS }, (_, shard) => shard),
  outside: outsideOutcomeStore(table),
  screenings: screeningReader(table),
  held: heldOutcomeSweeper(table),
  report: (problem, error) => log.error(problem, { error }),
});
