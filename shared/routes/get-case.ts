import * as z from 'zod/mini';
import { reviewCase } from '../schemas/case';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { untouchedCaseExample } from './examples';

export const getCaseRoute = defineRoute({
  operation: 'get-case',
  method: 'GET',
  path: '/v1/cases/{id}',
  permission: 'read',
  tag: 'Cases',
  summary: 'Get a review case',
  description: 'An open case expires exactly seven days after its creation.',
  params: z.object({ id: resourceId('case', 'case') }),
  success: {
    status: 200,
    description: 'The case.',
    schema: reviewCase,
    example: untouchedCaseExample,
  },
  errors: ['not_found'],
});
