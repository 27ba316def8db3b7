import * as z from 'zod/mini';
import { deliveryList, listDeliveriesQuery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { deliveryExample } from './examples';

export const listDeliveriesRoute = defineRoute({
  operation: 'list-deliveries',
  family: 'webhooks',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  permission: 'read',
  tag: 'Webhooks',
  summary: 'List the deliveries to an endpoint',
  description:
    'Newest first, for the last 30 days, with every delivery attempt: status, duration and the first 1 KB of the response. A `pending` delivery is waiting for its first or next attempt; `failed` has used up all ten; `cancelled` was pending when its endpoint was disabled.',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  query: listDeliveriesQuery,
  success: {
    status: 200,
    description: 'A page of deliveries.',
    schema: deliveryList,
    example: { deliveries: [deliveryExample], limit: 20, offset: 0, has_more: false },
  },
  errors: ['not_found'],
});
