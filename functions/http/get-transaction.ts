import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { transactionAnswer } from '../../shared/http/presenters/screening-answer';
import { getTransactionRoute } from '../../shared/routes/screening';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { openTable } from '../../shared/store/sdk/client';
import type { ReadScreeningDeps } from '../../shared/usecases/screening/get-decision';
import { getTransaction } from '../../shared/usecases/screening/get-transaction';

export const build = (deps: EndpointDeps & ReadScreeningDeps) =>
  endpoint(getTransactionRoute, deps, async ({ caller, params }) =>
    transactionAnswer(await getTransaction(deps, caller, params.id)),
  );

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-transaction'),
  screenings: screeningReader(openTable(config.tableName())),
});
