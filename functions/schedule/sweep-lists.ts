import type { Context } from 'aws-lambda';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { entryRemover, LIST_SHARDS } from '../../shared/store/lists/entry-remover';
import { listReader } from '../../shared/store/lists/list-store';
import { openPatientTable } from '../../shared/store/sdk/client';
import { type SweepListsDeps, sweepLists } from '../../shared/usecases/lists/sweep-lists';

// Time kept back to finish the transaction in progress.
const RESERVE_MS = 20_000;

export const build =
  (deps: SweepListsDeps & { readonly log: Log }) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const { removed } = await sweepLists(deps, deadlineMs);
    deps.log.info('sweep', { operation: 'sweep-lists', removed });
  };

const table = openPatientTable(config.tableName());

export const handler = build({
  clock: systemClock,
  newUlid,
  shards: LIST_SHARDS,
  lists: listReader(table),
  entries: entryRemover(table),
  log: functionLogger('sweep-lists'),
});
