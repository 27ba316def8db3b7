import * as z from 'zod/mini';
import { delivery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { newDeliveryExample } from './examples';

export const testWebhookRoute = defineRoute({
  operation: 'test-webhook',
  family: 'webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Send a test message',
  description:
    'Sends a `webhook.test` message to this endpoint, whatever it is subscribed to, signed and retried like any other. Its `data` identifies the endpoint.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  success: {
    status: 202,
    description: 'The delivery of the test message.',
    schema: delivery,
    example: { ...newDeliveryExample, event_type: 'webhook.test', redelivery_of: null },
  },
  errors: ['not_found', 'idempotency_in_progress', 'idempotency_mismatch'],
});
