import { caseList, listCasesQuery } from '../schemas/case';
import { defineRoute } from './define-route';
import { openCaseExample } from './examples';

export const listCasesRoute = defineRoute({
  operation: 'list-cases',
  method: 'GET',
  path: '/v1/cases',
  permission: 'read',
  tag: 'Cases',
  summary: 'List review cases',
  description:
    'Newest first. `start_date` includes cases created at or after it, `end_date` cases created before it. `total` counts all matches, on any page.',
  query: listCasesQuery,
  success: {
    status: 200,
    description: 'A page of cases.',
    schema: caseList,
    example: {
      cases: [openCaseExample],
      total: 1,
      limit: 20,
      offset: 0,
      has_more: false,
    },
  },
  errors: [],
});
