import * as z from 'zod/mini';
import { delivery, deliveryList, listDeliveriesQuery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { createdWebhook, createWebhookRequest, webhookList } from '../schemas/webhook';
import { defineRoute } from './define-route';
import { deliveryExample, newDeliveryExample } from './examples';

export const createWebhookRoute = defineRoute('POST /v1/webhooks', {
  operation: 'create-webhook',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Register a webhook endpoint',
  description:
    'Deliveries begin immediately. No other call shows `signing_secret`; the same request with the same `Idempotency-Key` does so again within 24 hours, or is 404 once the endpoint has been deleted. If you lose the secret, register the endpoint again, or ask the operator for a new one (`npm run admin -- webhooks rotate-secret`). An account can have at most 20 endpoints.',
  idempotency: 'answer',
  body: createWebhookRequest,
  success: {
    status: 201,
    description: 'The endpoint, with its signing secret.',
    schema: createdWebhook,
    example: {
      webhook_id: 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      url: 'https://example.com/hooks/fraud',
      events: ['case.created', 'transaction.decision.block'],
      label: 'order system',
      status: 'enabled',
      created_at: '2026-11-14T09:30:00.000Z',
      signing_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    },
  },
  errors: ['not_found'],
  requestExample: {
    url: 'https://example.com/hooks/fraud',
    events: ['case.created', 'transaction.decision.block'],
    label: 'order system',
  },
});

export const listWebhooksRoute = defineRoute('GET /v1/webhooks', {
  operation: 'list-webhooks',
  permission: 'read',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Oldest first. Signing secrets are not included.',
  success: {
    description: 'All endpoints of the account.',
    schema: webhookList,
    example: {
      webhooks: [
        {
          webhook_id: 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
          url: 'https://example.com/hooks/fraud',
          events: ['case.created', 'transaction.decision.block'],
          label: 'order system',
          status: 'enabled',
          created_at: '2026-11-14T09:30:00.000Z',
        },
      ],
    },
  },
});

export const deleteWebhookRoute = defineRoute('DELETE /v1/webhooks/{id}', {
  operation: 'delete-webhook',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description:
    'No delivery attempt starts after the 204. One already in flight may still arrive, so receivers must tolerate it.',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found'],
});

const WEBHOOKS = { family: 'webhooks', tag: 'Webhooks' } as const;

export const testWebhookRoute = defineRoute('POST /v1/webhooks/{id}/test', {
  operation: 'test-webhook',
  ...WEBHOOKS,
  permission: 'webhooks',
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
  errors: ['not_found'],
});

export const listDeliveriesRoute = defineRoute('GET /v1/webhooks/{id}/deliveries', {
  operation: 'list-deliveries',
  ...WEBHOOKS,
  permission: 'read',
  summary: 'List the deliveries to an endpoint',
  description:
    'Newest first, for the last 30 days, with every delivery attempt: status, duration and the first 1 KB of the response. A `pending` delivery is waiting for its first or next attempt; `failed` has used up all ten; `cancelled` was pending when its endpoint was disabled.',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  query: listDeliveriesQuery,
  success: {
    description: 'A page of deliveries.',
    schema: deliveryList,
    example: { deliveries: [deliveryExample], limit: 20, offset: 0, has_more: false },
  },
  errors: ['not_found'],
});

export const redeliverMessageRoute = defineRoute('POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
  operation: 'redeliver-message',
  ...WEBHOOKS,
  permission: 'webhooks',
  summary: 'Redeliver a message',
  description:
    'Creates a new delivery of the same message, whatever the result of the first: the same `webhook-id` and the same bytes, with ten new delivery attempts. Possible for 30 days.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('webhook endpoint', 'wh'), delivery_id: resourceId('delivery', 'dlv') }),
  success: { status: 202, description: 'The new delivery.', schema: delivery, example: newDeliveryExample },
  errors: ['not_found'],
});
