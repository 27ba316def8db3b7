import { type Delivery, type DeliveryPage, stateAt } from '../../domain/webhooks/delivery';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';
import type { AnswerOf } from '../../schemas/answer-of';
import type { delivery, deliveryList } from '../../schemas/delivery';
import type { createdWebhook, webhook, webhookList } from '../../schemas/webhook';

/** An endpoint without its secret. Copied field by field, so that nothing else of the domain object gets out. */
function webhookAnswer(endpoint: WebhookEndpoint): AnswerOf<typeof webhook> {
  const { webhook_id, url, events, label, status, created_at, disabled_at, disabled_reason } = endpoint;
  const disabled = disabled_at && disabled_reason ? { disabled_at, disabled_reason } : {};
  return { webhook_id, url, events, label, status, created_at, ...disabled };
}

export const createdWebhookAnswer = (
  created: WebhookEndpoint & { readonly signing_secret: string },
): AnswerOf<typeof createdWebhook> => ({ ...webhookAnswer(created), signing_secret: created.signing_secret });

export const webhookListAnswer = (endpoints: readonly WebhookEndpoint[]): AnswerOf<typeof webhookList> => ({
  webhooks: endpoints.map(webhookAnswer),
});

export function deliveryAnswer(found: Delivery, disabledAt?: string): AnswerOf<typeof delivery> {
  const { delivery_id, webhook_id, message_id, event_type, created_at, redelivery_of, attempts } = found;
  const state = stateAt(found.state, disabledAt);
  return {
    delivery_id,
    webhook_id,
    message_id,
    event_type,
    status: state.status,
    reason: 'reason' in state ? state.reason : null,
    attempt: state.attempt,
    next_attempt_at: state.status === 'pending' ? state.next_attempt_at : null,
    completed_at: state.status === 'pending' ? null : state.completed_at,
    created_at,
    redelivery_of,
    attempts,
  };
}

const CUT =
  'There are more deliveries than one search reads, so older matches may be missing. Filter by status or look at newer ones.';

export const deliveryListAnswer = (page: DeliveryPage): AnswerOf<typeof deliveryList> => ({
  deliveries: page.deliveries.map((each) => deliveryAnswer(each, page.disabledAt)),
  limit: page.limit,
  offset: page.offset,
  has_more: page.hasMore,
  ...(page.isCut ? { warnings: [CUT] } : {}),
});
