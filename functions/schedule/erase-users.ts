import type { Context } from 'aws-lambda';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { erasureQueue } from '../../shared/store/personal-data/erasure-store';
import { traceStore } from '../../shared/store/personal-data/trace-store';
import { openPatientTable } from '../../shared/store/sdk/client';
import { type RunErasuresDeps, runErasures } from '../../shared/usecases/personal-data/run-erasures';

// Time kept back to finish the page that is being erased.
const RESERVE_MS = 60_000;

export const build =
  (deps: RunErasuresDeps & { readonly log: Log }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const report = await runErasures(deps, deadlineMs);
    deps.log.info('erasures', { operation: 'erase-users', ...report });
  };

const log = functionLogger('erase-users');
const table = openPatientTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log,
  pseudonyms: pseudonymWiring(log),
  erasures: erasureQueue(table),
  traces: traceStore(table),
});
