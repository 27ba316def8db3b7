import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { warehouseErasingWiring } from '../../shared/runtime/warehouse-wiring';
import { erasureQueue } from '../../shared/store/personal-data/erasure-store';
import { traceStore } from '../../shared/store/personal-data/trace-store';
import { openPatientTable } from '../../shared/store/sdk/client';
import { readPace } from '../../shared/store/sdk/read-pace';
import {
  type EraseFromWarehouseDeps,
  eraseFromWarehouse,
} from '../../shared/usecases/personal-data/erase-from-warehouse';
import { type RunErasuresDeps, runErasures } from '../../shared/usecases/personal-data/run-erasures';

// Time kept back to finish the page that is being erased.
const RESERVE_MS = 60_000;

type Deps = RunErasuresDeps & {
  readonly log: Log;
  /** Files that people are erased from, too. @default none */
  readonly warehouse?: EraseFromWarehouseDeps | undefined;
};

export const build =
  (deps: Deps) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const startMs = deps.clock.now();
    const deadlineMs = startMs + context.getRemainingTimeInMillis() - RESERVE_MS;
    // First, and for half of the time at most: a walk takes all that is left.
    const halfMs = (startMs + deadlineMs) / 2;
    const files = deps.warehouse && (await eraseFromWarehouse(deps.warehouse, halfMs).catch((error: Error) => error));
    if (files instanceof Error) deps.log.error('the warehouse could not be searched for the erased', { error: files });
    else if (files) deps.log.info('warehouse', { operation: 'erase-users', ...files });
    const report = await runErasures(deps, deadlineMs);
    deps.log.info('erasures', { operation: 'erase-users', ...report });
    // The run counts as failed, and its alarm tells somebody.
    if (files instanceof Error) throw files;
  };

const log = functionLogger('erase-users');
const table = openPatientTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log,
  warehouse: warehouseErasingWiring(),
  pseudonyms: pseudonymWiring(log),
  erasures: erasureQueue(table),
  traces: traceStore(table, readPace(config.readUnitsPerSecond(), systemClock, wait)),
});
