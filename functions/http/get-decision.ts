import { notFound } from '../../shared/domain/errors';
import { decisionAnswer, isDecisionOf, isRetained } from '../../shared/domain/screening/subjects/screening-record';
import { ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { getDecisionRoute } from '../../shared/routes/get-decision';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { screeningReader } from '../../shared/store/screening/screening-store';
import { openTable } from '../../shared/store/sdk/client';

type Deps = EndpointDeps & { readonly screenings: ReturnType<typeof screeningReader> };

export const build = (deps: Deps) =>
  endpoint(getDecisionRoute, deps, async ({ caller, params }) => {
    const ulid = ulidOf(params.id, 'dec', 'txn', 'evt');
    const record = ulid && (await deps.screenings.find(caller.account_id, ulid));
    if (!record || !isDecisionOf(record, params.id) || !isRetained(record, deps.clock.now()))
      throw notFound('decision');
    return decisionAnswer(record);
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-decision'),
  screenings: screeningReader(openTable(config.tableName())),
});
