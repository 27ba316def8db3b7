import * as z from 'zod/mini';
import { erasure } from '../schemas/personal-data';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const getErasureRoute = defineRoute({
  operation: 'get-erasure',
  family: 'explore',
  permission: 'personal_data',
  method: 'GET',
  path: '/v1/erasures/{erasure_id}',
  tag: 'Personal data',
  summary: 'See how far an erasure has come',
  description:
    'Names nobody. `erased` counts items by kind; `items_checked` counts what was read to find them. The erasure of a user who is not known is completed at once.',
  params: z.object({ erasure_id: resourceId('erasure', 'era') }),
  success: {
    status: 200,
    description: 'The erasure.',
    schema: erasure,
    example: {
      erasure_id: 'era_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      status: 'completed',
      requested_at: '2026-11-14T09:30:00.000Z',
      requested_by: 'ana.silva',
      completed_at: '2026-11-14T09:41:12.000Z',
      keeps_fraud_evidence: true,
      items_checked: 48211,
      erased: { result: 12, link: 3, entity: 2 },
    },
  },
  errors: ['not_found'],
});
