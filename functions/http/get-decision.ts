import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { listedDecisionAnswer } from '../../shared/http/presenters/decision-answer';
import { getDecisionRoute } from '../../shared/routes/decisions';
import { functionBasics } from '../../shared/runtime/function-basics';
import { keptReader } from '../../shared/store/outcomes/kept-items';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { getReportedDecision, type ReadReportedDeps } from '../../shared/usecases/screening/get-decision';

export const build = (deps: EndpointDeps & ReadReportedDeps) =>
  endpoint(getDecisionRoute, deps, async ({ caller, params }) => {
    const { record, kept } = await getReportedDecision(deps, caller, params.id);
    return listedDecisionAnswer(record, kept);
  });

const { table, ...basics } = functionBasics('get-decision');

export const handler = build({
  ...basics,
  screenings: screeningReader(table),
  kept: keptReader(table),
});
