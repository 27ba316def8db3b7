import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { overviewAnswer } from '../../shared/http/presenters/overview-answer';
import { getOverviewRoute } from '../../shared/routes/get-overview';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { caseLister } from '../../shared/store/cases/case-store';
import { overviewReader } from '../../shared/store/overview/overview-store';
import { openTable } from '../../shared/store/sdk/client';
import { type AccountOverviewDeps, accountOverview } from '../../shared/usecases/overview/account-overview';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const build = (deps: EndpointDeps & AccountOverviewDeps) =>
  endpoint(getOverviewRoute, deps, async ({ caller, query }) => {
    const span = { startMs: instant(query.start_date), endMs: instant(query.end_date) };
    return overviewAnswer(await accountOverview(deps, caller, span));
  });

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-overview'),
  counts: overviewReader(table),
  cases: caseLister(table),
});
