import type { Context } from 'aws-lambda';
import { CASE_METRICS } from '../../shared/metrics/case-metrics';
import { metricValues } from '../../shared/metrics/define-metrics';
import { OUTCOME_SWEEP_METRICS } from '../../shared/metrics/outcome-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { ALL_SHARDS } from '../../shared/store/cases/case-index';
import { caseSweeper } from '../../shared/store/cases/case-store';
import { OUTCOME_DUE_SHARDS } from '../../shared/store/keys';
import { entryRemover, LIST_SHARDS } from '../../shared/store/lists/entry-remover';
import { listReader } from '../../shared/store/lists/list-store';
import { heldOutcomeSweeper, outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { erasureQueue } from '../../shared/store/personal-data/erasure-store';
import { traceStore } from '../../shared/store/personal-data/trace-store';
import { openPatientTable, openTable } from '../../shared/store/sdk/client';
import { type MeasureCasesDeps, measureCases } from '../../shared/usecases/cases/measure-cases';
import { type SweepCasesDeps, sweepCases } from '../../shared/usecases/cases/sweep-cases';
import { sweepLists } from '../../shared/usecases/lists/sweep-lists';
import { sweepHeldOutcomes } from '../../shared/usecases/outcomes/apply-held-outcomes';
import { runErasures } from '../../shared/usecases/personal-data/run-erasures';

// Time kept back to finish work in progress and to measure the queue.
const RESERVE_MS = 20_000;

/** Applies outcomes that waited for a reference. */
type SweepHeld = (deadlineMs: number) => ReturnType<typeof sweepHeldOutcomes>;

/** What is swept besides cases: a function of their own would take eleven of the stack's 500 resources each. */
interface Others {
  readonly log: Log;
  readonly sweepHeld: SweepHeld;
  readonly sweepLists: (deadlineMs: number) => ReturnType<typeof sweepLists>;
  readonly eraseUsers: (deadlineMs: number) => ReturnType<typeof runErasures>;
}

export const build =
  (deps: SweepCasesDeps & MeasureCasesDeps & Others) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const { swept, backlogAgeMs, isUnfinished } = await sweepCases(deps, deadlineMs);
    const { open, oldestAgeMs } = await measureCases(deps);
    const held = await deps.sweepHeld(deadlineMs);
    const metrics = metricValues(CASE_METRICS, {
      CasesSwept: swept,
      CaseBacklogAge: backlogAgeMs / 1_000,
      OpenCases: open,
      OldestCaseAge: oldestAgeMs / 1_000,
    });
    const unfinished = isUnfinished || held.isUnfinished;
    const applied = metricValues(OUTCOME_SWEEP_METRICS, { HeldOutcomesApplied: held.applied });
    deps.log.info('sweep', { operation: 'sweep-cases', unfinished }, [...metrics, ...applied]);
    const { removed } = await deps.sweepLists(deadlineMs);
    deps.log.info('sweep', { operation: 'sweep-lists', removed });
    const erasures = await deps.eraseUsers(deadlineMs);
    deps.log.info('erasures', { operation: 'erase-users', ...erasures });
  };

const table = openTable(config.tableName());
const patient = openPatientTable(config.tableName());
const log = functionLogger('sweep-cases');
const pseudonyms = pseudonymWiring(log);

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
  sweepLists: (deadlineMs) =>
    sweepLists(
      {
        clock: systemClock,
        newUlid,
        shards: LIST_SHARDS,
        lists: listReader(patient),
        entries: entryRemover(patient),
      },
      deadlineMs,
    ),
  eraseUsers: (deadlineMs) =>
    runErasures(
      { clock: systemClock, pseudonyms, erasures: erasureQueue(patient), traces: traceStore(patient) },
      deadlineMs,
    ),
  shards: ALL_SHARDS,
  cases: caseSweeper(table),
  log,
});
