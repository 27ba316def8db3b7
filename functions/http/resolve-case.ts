import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseAnswer } from '../../shared/http/presenters/case-answer';
import { resolveCaseRoute } from '../../shared/routes/cases';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { openTable } from '../../shared/store/sdk/client';
import { type RecordOutcomeDeps, resolveCase } from '../../shared/usecases/cases/record-outcome';

export const build = (deps: EndpointDeps & RecordOutcomeDeps) =>
  endpoint(resolveCaseRoute, deps, async ({ caller, params, body: { status, ...who } }) => {
    const decision = status === 'rejected' ? 'block' : 'allow';
    return caseAnswer(await resolveCase(deps, caller, params.id, { decision, ...who }), deps.clock.now());
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('resolve-case'),
  outcomes: outcomeStore(openTable(config.tableName())),
});
