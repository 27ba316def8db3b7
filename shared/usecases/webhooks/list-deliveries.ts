import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import { type Delivery, deliveryAnswer, storedStatuses } from '../../domain/webhooks/delivery';
import type { DeliveryStatus } from '../../domain/webhooks/delivery-state';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';

/** What a list of deliveries needs from the outside. */
export interface ListDeliveriesDeps {
  readonly clock: { now(): number };
  readonly endpoints: { find(accountId: string, webhookId: string): Promise<WebhookEndpoint | undefined> };
  readonly deliveries: {
    newest(
      accountId: string,
      webhookId: string,
      statuses: readonly DeliveryStatus[],
      want: number,
      nowMs: number,
    ): Promise<{ readonly deliveries: readonly Delivery[]; readonly isCut: boolean }>;
  };
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

const CUT =
  'There are more deliveries than one search reads, so older matches may be missing. Filter by status or look at newer ones.';

/** A page of an endpoint's deliveries, newest first. */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  { account_id }: Caller,
  webhookId: string,
  { status, limit, offset }: DeliveryFilter,
): Promise<object> {
  const endpoint = await deps.endpoints.find(account_id, webhookId);
  if (!endpoint) throw notFound('webhook endpoint');
  const statuses = storedStatuses(status, endpoint.status === 'disabled');
  const want = offset + limit + 1;
  const { deliveries, isCut } = await deps.deliveries.newest(account_id, webhookId, statuses, want, deps.clock.now());
  return {
    deliveries: deliveries.slice(offset, offset + limit).map((each) => deliveryAnswer(each, endpoint.disabled_at)),
    limit,
    offset,
    has_more: deliveries.length === want,
    ...(isCut ? { warnings: [CUT] } : {}),
  };
}
