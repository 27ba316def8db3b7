import * as z from 'zod/mini';
import { reviewCase } from '../schemas/case';
import { defineRoute } from './define-route';

export const getCaseRoute = defineRoute({
  operation: 'get-case',
  method: 'GET',
  path: '/v1/cases/{id}',
  tag: 'Cases',
  summary: 'Get a review case',
  description: 'An open case is expired from the very instant seven days after its creation.',
  params: z.object({ id: z.string() }),
  success: {
    status: 200,
    description: 'The case.',
    schema: reviewCase,
    example: {
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
  },
  errors: ['not_found'],
});
