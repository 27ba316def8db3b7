import { caseList, listCasesQuery } from '../schemas/case';
import { defineRoute } from './define-route';

export const listCasesRoute = defineRoute({
  operation: 'list-cases',
  method: 'GET',
  path: '/v1/cases',
  tag: 'Cases',
  summary: 'List review cases',
  description:
    'Newest first. `start_date` includes cases created at or after it, `end_date` cases created before it. `total` counts all that match, whatever the page.',
  query: listCasesQuery,
  success: {
    status: 200,
    description: 'A page of cases.',
    schema: caseList,
    example: {
      cases: [
        {
          case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
          subject_type: 'transaction',
          subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
          user_id: 'user-42',
          status: 'open',
          risk_score: 68,
          decision: 'review',
          signals: ['amount_anomaly', 'new_device'],
          created_at: '2026-11-14T09:30:00.000Z',
          expires_at: '2026-11-21T09:30:00.000Z',
          resolved_at: null,
          resolved_by: null,
          notes: null,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      has_more: false,
    },
  },
  errors: [],
});
