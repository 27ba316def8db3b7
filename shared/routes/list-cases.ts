import { caseList, listCasesQuery } from '../schemas/case';
import { defineRoute } from './define-route';
import { untouchedCaseExample } from './examples';

export const listCasesRoute = defineRoute({
  operation: 'list-cases',
  method: 'GET',
  path: '/v1/cases',
  permission: 'read',
  tag: 'Cases',
  summary: 'List review cases',
  description:
    'Newest first. `start_date` includes cases created at or after it, `end_date` cases created before it. `total` counts all matches, on any page.\n\nWith `user_id`, `assignee` (who works on it now), `resolved_by`, `signal`, `min_score`, `max_score`, `subject_type`, `sort` or `cursor` it is a search: `total` is null, `offset` must be 0, and `next_cursor` leads to the next page. `sort` is `newest`, `score` or `amount` (largest first; amounts are compared in US dollars at a rough rate) or `expires` (soonest first).',
  query: listCasesQuery,
  success: {
    status: 200,
    description: 'A page of cases.',
    schema: caseList,
    example: {
      cases: [untouchedCaseExample],
      total: 1,
      limit: 20,
      offset: 0,
      has_more: false,
    },
  },
  errors: [],
});
