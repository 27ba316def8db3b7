import * as z from 'zod/mini';
import { resourceId, text } from '../schemas/text';
import { defineRoute } from './define-route';

export const releaseCaseRoute = defineRoute({
  operation: 'release-case',
  family: 'desk',
  method: 'DELETE',
  path: '/v1/cases/{id}/claim',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Release a case',
  description:
    'Ends the claim of the person whose key it is, or of `analyst_id`. A key of nobody in particular that names nobody releases any claim. Without a claim nothing happens.',
  params: z.object({ id: resourceId('case', 'case') }),
  query: z.object({ analyst_id: z.optional(text(1, 128)) }),
  success: { status: 204, description: 'The case is free.' },
  errors: ['not_found', 'case_claimed'],
});
