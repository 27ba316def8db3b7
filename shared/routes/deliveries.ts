import * as z from 'zod/mini';
import { delivery, deliveryList, listDeliveriesQuery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { deliveryExample, newDeliveryExample } from './examples';

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

export const redeliverMessageRoute = defineRoute({
  operation: 'redeliver-message',
  family: 'webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Redeliver a message',
  description:
    'Creates a new delivery of the same message, whatever the result of the first: the same `webhook-id` and the same bytes, with ten new delivery attempts. Possible for 30 days.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('webhook endpoint', 'wh'), delivery_id: resourceId('delivery', 'dlv') }),
  success: { status: 202, description: 'The new delivery.', schema: delivery, example: newDeliveryExample },
  errors: ['not_found', 'idempotency_in_progress', 'idempotency_mismatch'],
});
