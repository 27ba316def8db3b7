import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { decisionAnswer } from '../../shared/http/presenters/decision-answer';
import { getDecisionRoute } from '../../shared/routes/decisions';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { openTable } from '../../shared/store/sdk/client';
import { getDecision, type ReadScreeningDeps } from '../../shared/usecases/screening/get-decision';

export const build = (deps: EndpointDeps & ReadScreeningDeps) =>
  endpoint(getDecisionRoute, deps, async ({ caller, params }) =>
    decisionAnswer(await getDecision(deps, caller, params.id)),
  );

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-decision'),
  screenings: screeningReader(openTable(config.tableName())),
});
