import * as z from 'zod/mini';
import { decision } from '../schemas/screening';
import { defineRoute } from './define-route';
import { decisionExample } from './examples';

export const getDecisionRoute = defineRoute({
  operation: 'get-decision',
  method: 'GET',
  path: '/v1/decisions/{id}',
  tag: 'Decisions',
  summary: 'Get a decision',
  description: 'By `decision_id`, or by the id of the transaction or event it was made on. For 90 days.',
  params: z.object({ id: z.string() }),
  success: {
    status: 200,
    description: 'The decision in force, the automated one, and the review where there was one.',
    schema: decision,
    example: decisionExample,
  },
  errors: ['not_found'],
});
