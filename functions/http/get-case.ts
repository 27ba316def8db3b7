import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseAnswer } from '../../shared/http/presenters/case-answer';
import { getCaseRoute } from '../../shared/routes/cases';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { caseReader } from '../../shared/store/cases/case-store';
import { openTable } from '../../shared/store/sdk/client';
import { type GetCaseDeps, getCase } from '../../shared/usecases/cases/get-case';

export const build = (deps: EndpointDeps & GetCaseDeps) =>
  endpoint(getCaseRoute, deps, async ({ caller, params }) => {
    const { reviewCase, atMs } = await getCase(deps, caller, params.id);
    return caseAnswer(reviewCase, atMs);
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-case'),
  cases: caseReader(openTable(config.tableName())),
});
