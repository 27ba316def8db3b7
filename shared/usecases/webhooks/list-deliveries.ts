import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import {
  type Delivery,
  type DeliveryPage,
  type DeliverySelection,
  storedStatuses,
} from '../../domain/webhooks/delivery';
import type { DeliveryStatus } from '../../domain/webhooks/delivery-state';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of listing deliveries. */
export interface ListDeliveriesDeps {
  readonly clock: { now(): number };
  readonly endpoints: { find(accountId: string, webhookId: string): Promise<WebhookEndpoint | undefined> };
  readonly deliveries: {
    newest(
      accountId: string,
      webhookId: string,
      selection: DeliverySelection,
    ): Promise<{ readonly deliveries: readonly Delivery[]; readonly isCut: boolean }>;
  };
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of an endpoint's deliveries, newest first. */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  { account_id }: Caller,
  webhookId: string,
  { status, limit, offset }: DeliveryFilter,
): Promise<DeliveryPage> {
  const endpoint = await deps.endpoints.find(account_id, webhookId);
  if (!endpoint) throw notFound('webhook endpoint');
  const statuses = storedStatuses(status, endpoint.status === 'disabled');
  const want = offset + limit + 1;
  const selection = { statuses, want, nowMs: deps.clock.now() };
  const { deliveries, isCut } = await deps.deliveries.newest(account_id, webhookId, selection);
  return {
    deliveries: deliveries.slice(offset, offset + limit),
    limit,
    offset,
    hasMore: deliveries.length === want,
    isCut,
    disabledAt: endpoint.disabled_at,
  };
}
