import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { listedDecisionAnswer } from '../../shared/http/presenters/decision-answer';
import { getDecisionRoute } from '../../shared/routes/decisions';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { keptReader } from '../../shared/store/outcomes/kept-items';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { openTable } from '../../shared/store/sdk/client';
import { getReportedDecision, type ReadReportedDeps } from '../../shared/usecases/screening/get-decision';

export const build = (deps: EndpointDeps & ReadReportedDeps) =>
  endpoint(getDecisionRoute, deps, async ({ caller, params }) => {
    const { record, kept } = await getReportedDecision(deps, caller, params.id);
    return listedDecisionAnswer(record, kept);
  });

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-decision'),
  screenings: screeningReader(table),
  kept: keptReader(table),
});
