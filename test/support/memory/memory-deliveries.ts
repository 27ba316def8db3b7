import { ClaimTaken, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import { ulidTimeMs } from '../../../shared/domain/ulid';
import {
  DELIVERY_RETENTION_MS,
  type Delivery,
  type DeliveryRef,
  type DeliverySelection,
  type DeliveryStep,
  type PendingDelivery,
  watchAtMs,
} from '../../../shared/domain/webhooks/delivery';
import type { QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import type { StoredMessage } from '../../../shared/domain/webhooks/webhook-event';
import { unpackMessage } from '../../../shared/store/webhooks/packed-message';
import type { AttemptDeliveryDeps, DeliverDeps } from '../../../shared/usecases/webhooks/deliver-webhooks';
import type { RelayDeps } from '../../../shared/usecases/webhooks/relay-events';
import type {
  ListDeliveriesDeps,
  RedeliverDeps,
  TestWebhookDeps,
} from '../../../shared/usecases/webhooks/request-delivery';
import type { SweepDeliveriesDeps } from '../../../shared/usecases/webhooks/sweep-deliveries';
import type { MemoryAnswers } from './memory-answers';

/** Messages and their deliveries, as relay, sender, sweep, lists and requests use them. */
export interface DeliveriesPort {
  readonly messages: RelayDeps['messages'];
  readonly deliveries: RelayDeps['deliveries'] &
    AttemptDeliveryDeps['deliveries'] &
    RedeliverDeps['deliveries'] &
    ListDeliveriesDeps['deliveries'];
  readonly queued: DeliverDeps['queued'];
  readonly watch: SweepDeliveriesDeps['watch'];
  readonly shards: readonly number[];
  readonly requests: RedeliverDeps['requests'] & TestWebhookDeps['requests'];
}

const SHARDS = Array.from({ length: 16 }, (_, shard) => shard);
const iso = (ms: number): string => new Date(ms).toISOString();
const ulidOf = ({ delivery_id }: DeliveryRef): string => delivery_id.slice('dlv_'.length);
const shardOf = (ref: DeliveryRef): number => ulidOf(ref).charCodeAt(25) % SHARDS.length;

interface Held {
  readonly delivery: Delivery;
  readonly requeues: number;
  /** When the sweep must look; undefined once the delivery is over. */
  readonly watchAt: string | undefined;
}

/** Messages and deliveries in memory. */
export function memoryDeliveries(answers: MemoryAnswers, endpoints: Pick<AttemptDeliveryDeps['endpoints'], 'find'>) {
  const messages = new Map<string, StoredMessage>();
  const held = new Map<string, Held>();
  const messageKey = (accountId: string, messageId: string): string => `${accountId}/${messageId}`;
  const keyOf = ({ account_id, webhook_id, delivery_id }: DeliveryRef): string =>
    `${account_id}/${webhook_id}/${delivery_id}`;
  const put = (delivery: PendingDelivery, nowMs: number): void => {
    held.set(keyOf(delivery), { delivery, requeues: 0, watchAt: iso(watchAtMs(delivery.state, nowMs)) });
  };

  /** Whether somebody else has moved the delivery since `before` was read. */
  function isAsBefore(now: Held | undefined, before: PendingDelivery, watchedAt: string | undefined): now is Held {
    const state = now?.delivery.state;
    if (state?.status !== 'pending' || state.attempt !== before.state.attempt) return false;
    if (state.next_attempt_at !== before.state.next_attempt_at) return false;
    return watchedAt === undefined || now?.watchAt === watchedAt;
  }

  /** A delivery that was asked for and the answer to that, or neither. */
  function request(isMet: boolean, delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord): boolean {
    if (record && !answers.isFree(delivery.account_id, record.scope, nowMs)) throw new ClaimTaken();
    if (!isMet || held.has(keyOf(delivery))) return false;
    put(delivery, nowMs);
    if (record) answers.put(delivery.account_id, record, nowMs);
    return true;
  }

  return {
    messages: {
      async insert(message: StoredMessage) {
        const key = messageKey(message.account_id, message.message_id);
        if (!messages.has(key)) messages.set(key, message);
      },
    },
    deliveries: {
      async insert(delivery: PendingDelivery, nowMs: number) {
        if (held.has(keyOf(delivery))) return false;
        put(delivery, nowMs);
        return true;
      },
      find: async (ref: DeliveryRef) => held.get(keyOf(ref))?.delivery,
      async step(before: PendingDelivery, { after, record, lookAtMs, requeues = 0, watchedAt }: DeliveryStep) {
        const now = held.get(keyOf(before));
        if (!isAsBefore(now, before, watchedAt)) return false;
        const attempts = record ? [...now.delivery.attempts, record] : now.delivery.attempts;
        const lookAt = lookAtMs === undefined ? now.watchAt : iso(lookAtMs);
        const watchAt = after.status === 'pending' ? lookAt : undefined;
        held.set(keyOf(before), { delivery: { ...now.delivery, state: after, attempts }, requeues, watchAt });
        return true;
      },
      async newest(accountId: string, webhookId: string, { statuses, want, nowMs }: DeliverySelection) {
        const found = [...held.values()]
          .map(({ delivery }) => delivery)
          .filter(({ account_id, webhook_id }) => account_id === accountId && webhook_id === webhookId)
          .filter((delivery) => ulidTimeMs(ulidOf(delivery)) >= nowMs - DELIVERY_RETENTION_MS)
          .filter(({ state }) => statuses.includes(state.status))
          .sort((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1));
        return { deliveries: found.slice(0, want), isCut: false as boolean };
      },
    },
    queued: {
      load: async (_queueMessages: readonly QueueMessage[]) => ({
        delivery(queueMessage: QueueMessage) {
          const delivery = held.get(keyOf(queueMessage))?.delivery;
          const carried = delivery?.packed && unpackMessage(delivery, delivery.packed);
          const { account_id, message_id, is_packed } = queueMessage;
          return {
            delivery,
            message: carried ?? (is_packed ? undefined : messages.get(messageKey(account_id, message_id))),
          };
        },
        endpoint: endpoints.find,
      }),
    },
    watch: {
      async due(shard: number, nowMs: number, limit: number) {
        const due = [...held.values()]
          .flatMap(({ watchAt, ...rest }) =>
            watchAt !== undefined && watchAt <= iso(nowMs) ? [{ ...rest, watchAt }] : [],
          )
          .filter(({ delivery }) => shardOf(delivery) === shard)
          .sort((a, b) => (a.watchAt < b.watchAt ? -1 : 1))
          .slice(0, limit);
        return { found: due.length, due };
      },
    },
    shards: SHARDS,
    requests: {
      redeliver: async (delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord) =>
        request(
          delivery.packed !== undefined || messages.has(messageKey(delivery.account_id, delivery.message_id)),
          delivery,
          nowMs,
          record,
        ),
      async insert(message: StoredMessage, delivery: PendingDelivery, nowMs: number, record?: IdempotencyRecord) {
        const key = messageKey(message.account_id, message.message_id);
        if (!request(!messages.has(key), delivery, nowMs, record)) {
          throw new Error('A message with this id exists already');
        }
        messages.set(key, message);
      },
    },
  } satisfies DeliveriesPort;
}
