import * as z from 'zod/mini';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const deleteWebhookRoute = defineRoute({
  operation: 'delete-webhook',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  permission: 'webhooks',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description:
    'No delivery attempt starts after the 204. One already in flight may still arrive, so receivers must tolerate it.',
  params: z.object({ id: resourceId('webhook endpoint', 'wh') }),
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found'],
});
