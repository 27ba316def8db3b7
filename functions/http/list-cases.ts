import { invalidRequest } from '../../shared/domain/errors';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { caseListAnswer, caseSearchAnswer } from '../../shared/http/presenters/case-answer';
import { listCasesRoute } from '../../shared/routes/cases';
import { functionBasics } from '../../shared/runtime/function-basics';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { DEFAULT_LIMIT } from '../../shared/schemas/conventions';
import { caseLister } from '../../shared/store/cases/case-store';
import { decisionLists } from '../../shared/store/screening/decision-lists';
import { type ListCasesDeps, listCases } from '../../shared/usecases/cases/list-cases';
import { type SearchCasesDeps, searchCases } from '../../shared/usecases/cases/search-cases';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

const score = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

export const build = (deps: EndpointDeps & ListCasesDeps & SearchCasesDeps) =>
  endpoint(listCasesRoute, deps, async ({ caller, query }) => {
    const { status, start_date, end_date, limit = DEFAULT_LIMIT, offset = 0, ...searched } = query;
    const dates = { startMs: instant(start_date), endMs: instant(end_date) };
    if (Object.keys(searched).length === 0) {
      return caseListAnswer(
        await listCases(deps, caller, { status, ...dates, limit: Number(limit), offset: Number(offset) }),
      );
    }
    if (Number(offset) > 0) {
      throw invalidRequest([{ field: 'offset', message: 'cannot be combined with a search; use cursor' }]);
    }
    const { min_score, max_score, min_amount, sort = 'newest', ...criteria } = searched;
    const search = {
      ...criteria,
      sort,
      min_score: score(min_score),
      max_score: score(max_score),
      min_amount: score(min_amount),
    };
    return caseSearchAnswer(await searchCases(deps, caller, { status, ...dates, ...search, limit: Number(limit) }));
  });

const { table, ...basics } = functionBasics('list-cases');

export const handler = build({
  ...basics,
  pseudonyms: pseudonymWiring(basics.log),
  cases: caseLister(table),
  decisions: decisionLists(table),
});
