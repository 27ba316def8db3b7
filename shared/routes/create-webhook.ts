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
