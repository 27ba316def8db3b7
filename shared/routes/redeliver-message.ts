import * as z from 'zod/mini';
import { delivery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { newDeliveryExample } from './examples';

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
