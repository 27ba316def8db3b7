import { webhookList } from '../schemas/webhook';
import { defineRoute } from './define-route';

export const listWebhooksRoute = defineRoute({
  operation: 'list-webhooks',
  method: 'GET',
  path: '/v1/webhooks',
  permission: 'read',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Oldest first. Signing secrets are not included.',
  success: {
    status: 200,
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
  errors: [],
});
