import { createdWebhook, createWebhookRequest } from '../schemas/webhook';
import { defineRoute } from './define-route';

export const createWebhookRoute = defineRoute({
  operation: 'create-webhook',
  method: 'POST',
  path: '/v1/webhooks',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Register a webhook endpoint',
  description:
    'Deliveries begin immediately. `signing_secret` is shown only in this response: if you lose it, delete the endpoint and register it again. An account can have at most 20 endpoints. Repeated with the same `Idempotency-Key`, it returns the secret again, but 404 once the endpoint has been deleted.',
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
  errors: [
    'not_found',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: {
    url: 'https://example.com/hooks/fraud',
    events: ['case.created', 'transaction.decision.block'],
    label: 'order system',
  },
});
