import * as z from 'zod/mini';
import { decision } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { decisionExample } from './examples';

export const getDecisionRoute = defineRoute({
  operation: 'get-decision',
  method: 'GET',
  path: '/v1/decisions/{id}',
  permission: 'read',
  tag: 'Decisions',
  summary: 'Get a decision',
  description: 'By `decision_id`, or by the ID of its transaction or event. Available for 90 days.',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  success: {
    status: 200,
    description: 'The current decision, the automated one, and the review if there was one.',
    schema: decision,
    example: decisionExample,
  },
  errors: ['not_found'],
});
