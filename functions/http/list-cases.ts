import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseListAnswer } from '../../shared/http/presenters/case-answer';
import { listCasesRoute } from '../../shared/routes/list-cases';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { DEFAULT_LIMIT } from '../../shared/schemas/paging';
import { caseLister } from '../../shared/store/cases/case-store';
import { openTable } from '../../shared/store/sdk/client';
import { type ListCasesDeps, listCases } from '../../shared/usecases/cases/list-cases';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export const build = (deps: EndpointDeps & ListCasesDeps) =>
  endpoint(listCasesRoute, deps, async ({ caller, query }) => {
    const page = await listCases(deps, caller, {
      status: query.status,
      limit: Number(query.limit ?? DEFAULT_LIMIT),
      offset: Number(query.offset ?? 0),
      startMs: instant(query.start_date),
      endMs: instant(query.end_date),
    });
    return caseListAnswer(page);
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('list-cases'),
  cases: caseLister(openTable(config.tableName())),
});
