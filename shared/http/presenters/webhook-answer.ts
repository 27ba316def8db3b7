import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';
import type { AnswerOf } from '../../schemas/answer-of';
import type { createdWebhook, webhook, webhookList } from '../../schemas/webhook';

/** An endpoint without its secret. Copied field by field, so that nothing else of the domain object gets out. */
function webhookAnswer(endpoint: WebhookEndpoint): AnswerOf<typeof webhook> {
  const { webhook_id, url, events, label, status, created_at, disabled_at, disabled_reason } = endpoint;
  const disabled = disabled_at && disabled_reason ? { disabled_at, disabled_reason } : {};
  return { webhook_id, url, events, label, status, created_at, ...disabled };
}

/** An endpoint with its secret: shown once, on registration. */
export const createdWebhookAnswer = (
  created: WebhookEndpoint & { readonly signing_secret: string },
): AnswerOf<typeof createdWebhook> => ({ ...webhookAnswer(created), signing_secret: created.signing_secret });

export const webhookListAnswer = (endpoints: readonly WebhookEndpoint[]): AnswerOf<typeof webhookList> => ({
  webhooks: endpoints.map(webhookAnswer),
});
