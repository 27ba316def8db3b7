import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { overviewAnswer } from '../../shared/http/presenters/overview-answer';
import { getOverviewRoute } from '../../shared/routes/get-overview';
import { functionBasics } from '../../shared/runtime/function-basics';
import { caseLister } from '../../shared/store/cases/case-store';
import { overviewReader } from '../../shared/store/overview/overview-store';
import { type AccountOverviewDeps, accountOverview } from '../../shared/usecases/overview/account-overview';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const build = (deps: EndpointDeps & AccountOverviewDeps) =>
  endpoint(getOverviewRoute, deps, async ({ caller, query }) => {
    const span = { startMs: instant(query.start_date), endMs: instant(query.end_date) };
    return overviewAnswer(await accountOverview(deps, caller, span));
  });

const { table, ...basics } = functionBasics('get-overview');

export const handler = build({
  ...basics,
  counts: overviewReader(table),
  cases: caseLister(table),
});
