import type { Caller } from '../../domain/accounts/account';
import { invalidRequest, notFound } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import type { Stage } from '../../domain/stage';
import {
  type Delivery,
  type DeliveryPage,
  type DeliveryRef,
  type DeliverySelection,
  type DeliveryStatus,
  deliveryOf,
  isKeptDeliveryId,
  type PendingDelivery,
  storedStatuses,
} from '../../domain/webhooks/delivery';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';
import { messageOf, type StoredMessage } from '../../domain/webhooks/webhook-event';

/** Dependencies of requesting a delivery. */
export interface RequestDeliveryDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly endpoints: { find(accountId: string, webhookId: string): Promise<WebhookEndpoint | undefined> };
}

async function enabledEndpoint({ endpoints }: RequestDeliveryDeps, accountId: string, webhookId: string) {
  const endpoint = await endpoints.find(accountId, webhookId);
  if (!endpoint) throw notFound('webhook endpoint');
  if (endpoint.status === 'enabled') return endpoint;
  const message = `the endpoint is disabled (${endpoint.disabled_reason}); delete it and register it again`;
  throw invalidRequest([{ field: 'id', message }]);
}

export interface RedeliverDeps extends RequestDeliveryDeps {
  readonly deliveries: { find(ref: DeliveryRef): Promise<Delivery | undefined> };
  readonly requests: {
    redeliver(delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord): Promise<boolean>;
  };
}

/** Sends a message again: a new delivery with the same message id, whatever became of the first. */
export async function redeliver(
  deps: RedeliverDeps,
  { account_id }: Caller,
  { id: webhook_id, delivery_id }: { readonly id: string; readonly delivery_id: string },
  record?: (delivery: Delivery) => IdempotencyRecord,
): Promise<Delivery> {
  const nowMs = deps.clock.now();
  await enabledEndpoint(deps, account_id, webhook_id);
  const ref = { account_id, webhook_id, delivery_id };
  const first = isKeptDeliveryId(delivery_id, nowMs) ? await deps.deliveries.find(ref) : undefined;
  if (!first) throw notFound('delivery');
  const to = { webhook_id, origin: 'redelivery', redelivery_of: delivery_id } as const;
  const again = deliveryOf(first, to, `dlv_${deps.newUlid(nowMs)}`, nowMs);
  if (!(await deps.requests.redeliver(again, nowMs, record?.(again)))) throw notFound('delivery');
  return again;
}

export interface TestWebhookDeps extends RequestDeliveryDeps {
  readonly stage: Stage;
  readonly requests: {
    insert(message: StoredMessage, delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord): Promise<void>;
  };
}

/** Sends an endpoint a test message, to see whether it arrives. */
export async function testWebhook(
  deps: TestWebhookDeps,
  { account_id }: Caller,
  webhookId: string,
  record?: (delivery: Delivery) => IdempotencyRecord,
): Promise<Delivery> {
  const nowMs = deps.clock.now();
  const { webhook_id } = await enabledEndpoint(deps, account_id, webhookId);
  const ulid = deps.newUlid(nowMs);
  const data = { webhook_id, text: 'This is a test. Nothing was screened.' };
  const event = { type: 'webhook.test', account_id, ulid, number: 0, occurredAtMs: nowMs } as const;
  const message = messageOf(event, data, deps.stage);
  const delivery = deliveryOf(message, { webhook_id, origin: 'test' }, `dlv_${deps.newUlid(nowMs)}`, nowMs);
  await deps.requests.insert(message, delivery, nowMs, record?.(delivery));
  return delivery;
}

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
