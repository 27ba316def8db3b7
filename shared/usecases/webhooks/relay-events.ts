import type { Stage } from '../../domain/stage';
import { deliveryOf, eventDeliveryId, type PendingDelivery } from '../../domain/webhooks/delivery';
import { type DelayedMessage, queueMessageOf } from '../../domain/webhooks/queue-message';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';
import {
  type Change,
  eventsOf,
  listensTo,
  messageOf,
  type StoredMessage,
  type WebhookEvent,
} from '../../domain/webhooks/webhook-event';

/** Dependencies of relaying. */
export interface RelayDeps {
  readonly clock: { now(): number };
  readonly stage: Stage;
  /** The object that a change is about, as its GET returned it at an instant. */
  readonly dataOf: (change: Change, atMs: number) => object;
  readonly endpoints: { list(accountId: string): Promise<readonly WebhookEndpoint[]> };
  /** A small message in the form in which it is stored with each of its deliveries; undefined if it is too large. */
  readonly pack: (message: StoredMessage) => Uint8Array | undefined;
  readonly messages: { insert(message: StoredMessage, nowMs: number): Promise<void> };
  readonly deliveries: { insert(delivery: PendingDelivery, nowMs: number): Promise<boolean> };
  /** A bus that gets every event, besides the endpoints. @default there is none */
  readonly bus?: { put(messages: readonly StoredMessage[]): Promise<void> } | undefined;
  readonly queue: { send(queueMessages: readonly DelayedMessage[]): Promise<number> };
}

/**
 * The endpoints of accounts, each read once. For one batch only: they are read after everything in the batch has
 * committed, so an endpoint that was registered before one of its events is included.
 */
export function endpointsOnce({ endpoints }: Pick<RelayDeps, 'endpoints'>): RelayDeps['endpoints'] {
  const read = new Map<string, Promise<readonly WebhookEndpoint[]>>();
  return {
    list: (accountId) => {
      const known = read.get(accountId) ?? endpoints.list(accountId);
      read.set(accountId, known);
      return known;
    },
  };
}

/**
 * Turns a committed change into messages and deliveries, and returns the queue messages to send. Everything it writes
 * has an id derived from the change and is written only if absent: relaying twice creates nothing twice.
 */
export async function relayChange(deps: RelayDeps, change: Change): Promise<DelayedMessage[]> {
  const endpoints = await deps.endpoints.list(change.account_id);
  const queueMessages = await Promise.all(eventsOf(change).map((event) => relayEvent(deps, change, event, endpoints)));
  return queueMessages.flat();
}

async function relayEvent(
  deps: RelayDeps,
  change: Change,
  event: WebhookEvent,
  endpoints: readonly WebhookEndpoint[],
): Promise<DelayedMessage[]> {
  const listening = endpoints.filter((endpoint) => listensTo(endpoint, event));
  if (listening.length === 0 && deps.bus === undefined) return [];
  const nowMs = deps.clock.now();
  const message = messageOf(event, deps.dataOf(change, event.occurredAtMs), deps.stage);
  // Nothing is written for the bus: if it fails, so does the change, which is relayed again with the same IDs.
  await deps.bus?.put([message]);
  if (listening.length === 0) return [];
  const packed = deps.pack(message);
  // Before its deliveries, so that no delivery ever exists without its message.
  if (packed === undefined) await deps.messages.insert(message, nowMs);
  const carried = packed === undefined ? message : { ...message, packed };
  return Promise.all(
    listening.map(async ({ webhook_id }) => {
      const id = eventDeliveryId(message, webhook_id);
      const to = { webhook_id, origin: 'event' } as const;
      const delivery = deliveryOf(carried, to, id, nowMs);
      const isNew = await deps.deliveries.insert(delivery, nowMs);
      // Even if it existed: its writer may have died before sending the queue message, and a second one does nothing.
      // Where the message of that one is, we do not know: another version may have stored it.
      const queued = isNew ? delivery : deliveryOf(message, to, id, nowMs);
      return { queueMessage: queueMessageOf(queued), delayMs: 0 };
    }),
  );
}
