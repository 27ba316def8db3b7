import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { decisionListAnswer } from '../../shared/http/presenters/decision-answer';
import { linkGraphAnswer } from '../../shared/http/presenters/link-graph-answer';
import { serveFamily } from '../../shared/http/serve-family';
import { getUserLinksRoute } from '../../shared/routes/get-user-links';
import { listDecisionsRoute } from '../../shared/routes/list-decisions';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { DEFAULT_LIMIT } from '../../shared/schemas/paging';
import { caseLister } from '../../shared/store/cases/case-store';
import { linkReader } from '../../shared/store/links/link-store';
import { decisionLists } from '../../shared/store/screening/decision-lists';
import { openTable } from '../../shared/store/sdk/client';
import { type UserLinksDeps, userLinks } from '../../shared/usecases/entities/user-links';
import { type ListDecisionsDeps, listDecisions } from '../../shared/usecases/screening/list-decisions';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

type Deps = EndpointDeps & Required<ListDecisionsDeps> & Required<UserLinksDeps>;

const list = (deps: Deps) =>
  endpoint(listDecisionsRoute, deps, async ({ caller, query }) => {
    const { start_date, end_date, limit = DEFAULT_LIMIT, ...filter } = query;
    const dates = { startMs: instant(start_date), endMs: instant(end_date) };
    return decisionListAnswer(await listDecisions(deps, caller, { ...filter, ...dates, limit: Number(limit) }));
  });

const links = (deps: Deps) =>
  endpoint(getUserLinksRoute, deps, async ({ caller, params }) =>
    linkGraphAnswer(await userLinks(deps, caller, params.user_id)),
  );

export const build = (deps: Deps) =>
  serveFamily([
    [listDecisionsRoute, list(deps)],
    [getUserLinksRoute, links(deps)],
  ]);

const log = functionLogger('explore');
const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log,
  pseudonyms: pseudonymWiring(log),
  decisions: decisionLists(table),
  cases: caseLister(table),
  links: linkReader(table),
});
