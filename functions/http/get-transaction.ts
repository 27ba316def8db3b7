import { notFound } from '../../shared/domain/errors';
import { isRetained, screeningAnswer } from '../../shared/domain/screening/subjects/screening-record';
import { ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { getTransactionRoute } from '../../shared/routes/get-transaction';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { screeningReader } from '../../shared/store/screening/screening-store';
import { openTable } from '../../shared/store/sdk/client';

type Deps = EndpointDeps & { readonly screenings: ReturnType<typeof screeningReader> };

export const build = (deps: Deps) =>
  endpoint(getTransactionRoute, deps, async ({ caller, params }) => {
    const ulid = ulidOf(params.id, 'txn');
    const record = ulid ? await deps.screenings.find(caller.account_id, ulid) : undefined;
    if (record?.subject_type !== 'transaction' || !isRetained(record, deps.clock.now())) {
      throw notFound('transaction');
    }
    return screeningAnswer(record);
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-transaction'),
  screenings: screeningReader(openTable(config.tableName())),
});
