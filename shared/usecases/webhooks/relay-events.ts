import { DomainError } from '../../domain/errors';
import type { Stage } from '../../domain/stage';
import { deliveryOf, eventDeliveryId, type PendingDelivery } from '../../domain/webhooks/delivery';
import { type DelayedMessage, isRestored, queueMessageOf, type RelayOrder } from '../../domain/webhooks/queue-message';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';
import {
  type Change,
  eventsOf,
  listensTo,
  messageOf,
  type StoredMessage,
  type WebhookEvent,
} from '../../domain/webhooks/webhook-event';
import { eachAtMost } from './deliver-webhooks';

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

/** A change record and its position in the stream. */
export interface StreamedRecord<Raw> {
  readonly sequence: string;
  readonly committedAtMs: number;
  readonly raw: Raw;
}

/** Dependencies of relaying a batch, beyond those of relaying a change. */
export interface RelayBatchDeps<Raw> extends RelayDeps {
  readonly read: (raw: Raw) => RelayOrder | undefined;
  readonly setAside: (raw: Raw) => Promise<void>;
  readonly report: (problem: string, error: unknown) => void;
  /** Where every decision, outcome and case is kept for analysis. @default nowhere */
  readonly warehouse?: { put(raw: Raw): Promise<void> } | undefined;
}

/** The result of a batch, for metrics and the stream. */
export interface RelayReport {
  readonly records: number;
  /** Queue messages for deliveries, including `unsent`. */
  readonly deliveries: number;
  readonly unsent: number;
  readonly setAside: number;
  readonly lagMs: number;
  /** Sequence numbers of records that the stream should hand over again. */
  readonly failed: readonly string[];
}

/** Whether a batch led to anything, good or bad: for most accounts, most changes lead to nothing. */
export const isNotable = ({ deliveries, unsent, setAside, failed }: RelayReport): boolean =>
  deliveries + unsent + setAside + failed.length > 0;

const AT_ONCE = 10;

/** An unreachable table holds up the stream for this long; after that, its records are set aside. */
export const PATIENCE_MS = 5 * 60_000;

/**
 * Relays a batch of the stream. A record that fails is handed over again while the fault may be temporary, and set
 * aside if the record itself is at fault: the rest of the stream never waits for it.
 */
export async function relayBatch<Raw>(
  deps: RelayBatchDeps<Raw>,
  records: readonly StreamedRecord<Raw>[],
): Promise<RelayReport> {
  const nowMs = deps.clock.now();
  const batchDeps = { ...deps, endpoints: endpointsOnce(deps) };
  const queueMessages: DelayedMessage[] = [];
  const failed: string[] = [];
  let setAside = 0;

  await eachAtMost(AT_ONCE, records, async ({ sequence, committedAtMs, raw }) => {
    try {
      queueMessages.push(...(await relayRecord(batchDeps, raw, committedAtMs)));
      // Afterwards: a warehouse that refuses rows holds up no webhook, and relaying twice creates nothing twice.
      await deps.warehouse?.put(raw);
    } catch (error) {
      const isTransient = error instanceof DomainError && error.code === 'unavailable';
      if (isTransient && nowMs - committedAtMs < PATIENCE_MS) {
        deps.report('a record could not be relayed yet', error);
        failed.push(sequence);
        return;
      }
      deps.report('a record is set aside', error);
      await deps.setAside(raw).then(
        () => setAside++,
        (cause) => {
          deps.report('a record could not be set aside', cause);
          failed.push(sequence);
        },
      );
    }
  });
  const unsent = await deps.queue.send(queueMessages);
  const lagMs = Math.max(0, ...records.map(({ committedAtMs }) => nowMs - committedAtMs));
  return { records: records.length, deliveries: queueMessages.length, unsent, setAside, lagMs, failed };
}

/** The queue messages for one record, after writing what they need. A record that was set aside has no commit time. */
export async function relayRecord<Raw>(
  deps: Pick<RelayBatchDeps<Raw>, 'read'> & RelayDeps,
  raw: Raw,
  committedAtMs = Number.NEGATIVE_INFINITY,
): Promise<DelayedMessage[]> {
  const order = deps.read(raw);
  if (!order || isRestored(order, committedAtMs)) return [];
  return order.kind === 'queue' ? [{ queueMessage: order.queueMessage, delayMs: 0 }] : relayChange(deps, order.change);
}
