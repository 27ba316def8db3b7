import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseAnswer } from '../../shared/http/presenters/case-answer';
import { getCaseRoute } from '../../shared/routes/cases';
import { functionBasics } from '../../shared/runtime/function-basics';
import { caseReader } from '../../shared/store/cases/case-store';
import { type GetCaseDeps, getCase } from '../../shared/usecases/cases/get-case';

export const build = (deps: EndpointDeps & GetCaseDeps) =>
  endpoint(getCaseRoute, deps, async ({ caller, params }) => {
    const { reviewCase, atMs } = await getCase(deps, caller, params.id);
    return caseAnswer(reviewCase, atMs);
  });

const { table, ...basics } = functionBasics('get-case');

export const handler = build({
  ...basics,
  cases: caseReader(table),
});
