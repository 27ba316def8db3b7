import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseAnswer } from '../../shared/http/presenters/case-answer';
import { resolveCaseRoute } from '../../shared/routes/cases';
import { functionBasics } from '../../shared/runtime/function-basics';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { type RecordOutcomeDeps, resolveCase } from '../../shared/usecases/cases/record-outcome';

export const build = (deps: EndpointDeps & RecordOutcomeDeps) =>
  endpoint(resolveCaseRoute, deps, async ({ caller, params, body: { status, ...who } }) => {
    const decision = status === 'rejected' ? 'block' : 'allow';
    return caseAnswer(await resolveCase(deps, caller, params.id, { decision, ...who }), deps.clock.now());
  });

const { table, ...basics } = functionBasics('resolve-case');

export const handler = build({
  ...basics,
  outcomes: outcomeStore(table),
});
