import * as z from 'zod/mini';
import { delivery, deliveryList, listDeliveriesQuery } from '../schemas/delivery';
import { resourceId } from '../schemas/text';
import { createdWebhook, createWebhookRequest, webhookList } from '../schemas/webhook';
import { defineRoute } from './define-route';

export const createWebhookRoute = defineRoute('POST /v1/webhooks', {
  operation: 'create-webhook',
  permission: 'webhooks',
  tag: 'Webhooks',
  idempotency: 'answer',
  body: createWebhookRequest,
  success: { status: 201, schema: createdWebhook },
  errors: ['not_found'],
});

export const listWebhooksRoute = defineRoute('GET /v1/webhooks', {
  operation: 'list-webhooks',
  permission: 'read',
  tag: 'Webhooks',
  success: { schema: webhookList },
});

export const deleteWebhookRoute = defineRoute('DELETE /v1/webhooks/{id}', {
  operation: 'delete-webhook',
  permission: 'webhooks',
  tag: 'Webhooks',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  success: { status: 204 },
  errors: ['not_found'],
});

const WEBHOOKS = { family: 'webhooks', tag: 'Webhooks' } as const;

export const testWebhookRoute = defineRoute('POST /v1/webhooks/{id}/test', {
  operation: 'test-webhook',
  ...WEBHOOKS,
  permission: 'webhooks',
  idempotency: 'answer',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  success: { status: 202, schema: delivery },
  errors: ['not_found'],
});

export const listDeliveriesRoute = defineRoute('GET /v1/webhooks/{id}/deliveries', {
  operation: 'list-deliveries',
  ...WEBHOOKS,
  permission: 'read',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  query: listDeliveriesQuery,
  success: { schema: deliveryList },
  errors: ['not_found'],
});

export const redeliverMessageRoute = defineRoute('POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
  operation: 'redeliver-message',
  ...WEBHOOKS,
  permission: 'webhooks',
  idempotency: 'answer',
  params: z.object({ id: resourceId('webhook endpoint', 'wh'), delivery_id: resourceId('delivery', 'dlv') }),
  success: { status: 202, schema: delivery },
  errors: ['not_found'],
});
