import { randomUUID } from 'node:crypto';
import { watchAtMs } from '../../../shared/domain/webhooks/delivery';
import type { DelayedMessage, QueueMessage, RelayOrder } from '../../../shared/domain/webhooks/queue-message';
import type { DeliveryOutcome } from '../../../shared/domain/webhooks/retry-schedule';
import { EVENT_TYPES, type EventType, type WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import { changeAnswer } from '../../../shared/http/presenters/desk-answer';
import { newId } from '../../../shared/runtime/ids';
import { packMessage } from '../../../shared/store/webhooks/packed-message';
import {
  type DeliverDeps,
  type DeliveryObservation,
  deliverBatch,
  type OutgoingDelivery,
} from '../../../shared/usecases/webhooks/deliver-webhooks';
import { type RelayBatchDeps, relayBatch } from '../../../shared/usecases/webhooks/relay-events';
import { type SweepDeliveriesDeps, sweepDeliveries } from '../../../shared/usecases/webhooks/sweep-deliveries';
import type { DeliveriesPort } from '../memory/memory-deliveries';
import type { EndpointStatesPort } from '../memory/memory-endpoint-states';
import type { WebhooksPort } from '../memory/memory-webhooks';

export const MINUTE = 60_000;

/** A POST that left the house. */
export interface Posted extends OutgoingDelivery {
  readonly atMs: number;
}

/** The receiver's response to an attempt; 200 unless a test says otherwise. */
export type Receiver = (posted: Posted) => DeliveryOutcome | Promise<DeliveryOutcome>;

export const answers = (status_code: number, duration_ms = 20): DeliveryOutcome => ({
  kind: status_code >= 200 && status_code < 300 ? 'delivered' : 'refused',
  status_code,
  duration_ms,
  answer: `answer ${status_code}`,
  retry_after: null,
});

/** The store of deliveries: a table, or memory. */
export interface DeliveryPorts extends DeliveriesPort {
  readonly webhooks: WebhooksPort;
  readonly endpointStates: EndpointStatesPort;
}

/** Relay, dispatcher and sweep on some ports, with a clock, queues and a receiver of the test's own. */
export function deliveryScene(ports: DeliveryPorts, change: { readonly random?: () => number } = {}) {
  const accountId = `acc_${randomUUID()}`;
  let nowMs = Date.parse('2026-11-14T12:00:00.000Z');
  const clock = { now: () => nowMs };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** When the sweep will find something to do, so that a test need not live through every minute. */
  const looks = new Map<string, number>();

  const queued: { readonly queueMessage: QueueMessage; readonly atMs: number }[] = [];
  const sent: DelayedMessage[] = [];
  const queue = {
    async send(queueMessages: readonly DelayedMessage[]): Promise<number> {
      sent.push(...queueMessages);
      // As SQS does: whole seconds.
      for (const { queueMessage, delayMs } of queueMessages)
        queued.push({ queueMessage, atMs: nowMs + Math.ceil(delayMs / 1000) * 1000 });
      return 0;
    },
  };
  const posts: Posted[] = [];
  const attempts: DeliveryObservation[] = [];
  const problems: string[] = [];
  const world = { receiver: (() => answers(200)) as Receiver };
  const report = (problem: string, error: unknown) => void problems.push(`${problem}: ${String(error)}`);

  const deliver: DeliverDeps = {
    clock,
    random: change.random ?? Math.random,
    pause: async (ms) => pass(Math.ceil(ms)),
    kept: new Map(),
    endpoints: ports.webhooks.sender,
    states: ports.endpointStates,
    deliveries: {
      async step(before, step) {
        const isTaken = await ports.deliveries.step(before, step);
        if (isTaken && step.after.status !== 'pending') looks.delete(before.delivery_id);
        else if (isTaken && step.lookAtMs !== undefined) looks.set(before.delivery_id, step.lookAtMs);
        return isTaken;
      },
    },
    queued: ports.queued,
    queue,
    post: async (outgoing) => {
      const posted = { ...outgoing, atMs: nowMs };
      posts.push(posted);
      return world.receiver(posted);
    },
    observe: (observation) => void attempts.push(observation),
    report,
  };
  const relay: RelayBatchDeps<RelayOrder> = {
    clock,
    stage: 'sandbox',
    endpoints: ports.webhooks.merchant,
    messages: ports.messages,
    deliveries: {
      async insert(delivery, atMs) {
        looks.set(delivery.delivery_id, watchAtMs(delivery.state, atMs));
        return ports.deliveries.insert(delivery, atMs);
      },
    },
    queue,
    read: (order) => order,
    dataOf: changeAnswer,
    pack: packMessage,
    setAside: () => Promise.reject(new Error('nothing is set aside here')),
    report,
  };
  const sweep: SweepDeliveriesDeps = {
    clock,
    shards: ports.shards,
    pageSize: 10,
    watch: ports.watch,
    deliveries: deliver.deliveries,
    queue,
    report,
  };

  const dispatchDue = async (deps = deliver): Promise<number> => {
    const due = queued.filter(({ atMs }) => atMs <= nowMs);
    for (const each of due) queued.splice(queued.indexOf(each), 1);
    for (let at = 0; at < due.length; at += 10) {
      const queueMessages = due.slice(at, at + 10).map(({ queueMessage }) => queueMessage);
      await deliverBatch(deps, queueMessages, nowMs + 30_000);
    }
    return due.length;
  };

  const scene = Object.assign(world, {
    accountId,
    clock,
    deliver,
    relay,
    sweepDeps: sweep,
    queued,
    sent,
    posts,
    attempts,
    problems,
    pass,

    async register(events: readonly EventType[] = EVENT_TYPES): Promise<WebhookEndpoint> {
      const endpoint: WebhookEndpoint = {
        webhook_id: newId('wh', nowMs),
        url: 'https://receiver.example/hooks',
        events,
        label: null,
        status: 'enabled',
        created_at: new Date(nowMs).toISOString(),
      };
      await ports.webhooks.merchant.insert(accountId, { endpoint, secret: `whsec_${randomUUID()}` }, nowMs);
      return endpoint;
    },
    unregister: (webhookId: string) => ports.webhooks.merchant.remove(accountId, webhookId),
    endpoint: (webhookId: string) => ports.webhooks.merchant.find(accountId, webhookId),
    find: ports.deliveries.find,

    relayOrders: (...orders: readonly RelayOrder[]) =>
      relayBatch(
        scene.relay,
        orders.map((raw, index) => ({ sequence: String(index), committedAtMs: nowMs, raw })),
      ),
    sweep: () => sweepDeliveries(sweep, nowMs + 50_000),
    dispatchDue,

    /** Lets time pass to whatever comes next, queue message or minute, until `untilMs`, and has it done. */
    async live(forMs: number, deps = deliver): Promise<void> {
      const endMs = nowMs + forMs;
      await dispatchDue(deps);
      for (;;) {
        const sweepMs = Math.ceil(Math.max(nowMs + 1, Math.min(...looks.values())) / MINUTE) * MINUTE;
        const nextMs = Math.min(sweepMs, ...queued.map(({ atMs }) => atMs));
        if (nextMs > endMs) break;
        nowMs = Math.max(nowMs, nextMs);
        if (nowMs >= sweepMs) await sweepDeliveries(sweep, nowMs + 50_000);
        await dispatchDue(deps);
      }
      nowMs = Math.max(nowMs, endMs);
    },
  });
  return scene;
}
