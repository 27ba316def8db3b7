import { randomUUID } from 'node:crypto';
import type { Sealer } from '../../shared/domain/sealer';
import type { AttemptOutcome } from '../../shared/domain/webhooks/attempt-outcome';
import type { DelayedHint, DeliveryHint } from '../../shared/domain/webhooks/delivery-hint';
import { watchAtMs } from '../../shared/domain/webhooks/delivery-state';
import type { RelayOrder } from '../../shared/domain/webhooks/relay-order';
import { EVENT_TYPES, type EventType, type WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint';
import { changeAnswer } from '../../shared/http/presenters/change-answer';
import { newId } from '../../shared/runtime/ids';
import {
  DUE_SHARDS,
  deliveryReader,
  deliveryStepper,
  deliveryWatch,
  deliveryWriter,
  hintedReader,
} from '../../shared/store/webhooks/delivery-store';
import { endpointStateStore } from '../../shared/store/webhooks/endpoint-state-store';
import { messageWriter } from '../../shared/store/webhooks/message-store';
import {
  webhookReader,
  webhookRegistrar,
  webhookRemover,
  webhookSender,
} from '../../shared/store/webhooks/webhook-store';
import type { AttemptObservation, OutgoingAttempt } from '../../shared/usecases/webhooks/attempt-delivery';
import { type DeliverDeps, deliverBatch } from '../../shared/usecases/webhooks/deliver-webhooks';
import { type RelayBatchDeps, relayBatch } from '../../shared/usecases/webhooks/relay-batch';
import { type SweepDeliveriesDeps, sweepDeliveries } from '../../shared/usecases/webhooks/sweep-deliveries';
import { emptyTable } from './empty-table';

export const MINUTE = 60_000;

/** A POST that left the house. */
export interface Posted extends OutgoingAttempt {
  readonly atMs: number;
}

/** What an attempt meets; 200 unless a test says otherwise. */
export type Receiver = (posted: Posted) => AttemptOutcome | Promise<AttemptOutcome>;

export const answers = (status_code: number, duration_ms = 20): AttemptOutcome => ({
  kind: status_code >= 200 && status_code < 300 ? 'delivered' : 'refused',
  status_code,
  duration_ms,
  answer: `answer ${status_code}`,
  retry_after: null,
});

/** Not hidden at all: what sealing does has its own tests. */
const glass: Sealer = { seal: async (plain) => plain, open: async (sealed) => sealed };

/** Relay, queues, dispatcher and sweep on a real table, with a clock, queues and a receiver of the test's own. */
export async function deliveryWorld(change: { readonly random?: () => number } = {}) {
  const table = await emptyTable();
  const accountId = `acc_${randomUUID()}`;
  let nowMs = Date.parse('2026-11-14T12:00:00.000Z');
  const clock = { now: () => nowMs };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** When the sweep will find something to do, so that a test need not live through every minute. */
  const looks = new Map<string, number>();

  const queued: { readonly hint: DeliveryHint; readonly atMs: number }[] = [];
  const sent: DelayedHint[] = [];
  const queue = {
    async send(hints: readonly DelayedHint[]): Promise<number> {
      sent.push(...hints);
      // As SQS does: whole seconds.
      for (const { hint, delayMs } of hints) queued.push({ hint, atMs: nowMs + Math.ceil(delayMs / 1000) * 1000 });
      return 0;
    },
  };
  const posts: Posted[] = [];
  const attempts: AttemptObservation[] = [];
  const problems: string[] = [];
  const world = { receiver: (() => answers(200)) as Receiver };
  const report = (problem: string, error: unknown) => void problems.push(`${problem}: ${String(error)}`);

  const stepper = deliveryStepper(table);
  const writer = deliveryWriter(table);
  const deliver: DeliverDeps = {
    clock,
    random: change.random ?? Math.random,
    pause: async (ms) => pass(Math.ceil(ms)),
    endpoints: webhookSender(table, glass),
    states: endpointStateStore(table),
    deliveries: {
      async step(before, step) {
        const isTaken = await stepper.step(before, step);
        if (isTaken && step.after.status !== 'pending') looks.delete(before.delivery_id);
        else if (isTaken && step.lookAtMs !== undefined) looks.set(before.delivery_id, step.lookAtMs);
        return isTaken;
      },
    },
    hinted: hintedReader(table),
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
    dataOf: changeAnswer,
    endpoints: webhookReader(table),
    messages: messageWriter(table),
    deliveries: {
      async insert(delivery, atMs) {
        looks.set(delivery.delivery_id, watchAtMs(delivery.state, atMs));
        return writer.insert(delivery, atMs);
      },
    },
    queue,
    read: (order) => order,
    setAside: () => Promise.reject(new Error('nothing is set aside here')),
    report,
  };
  const sweep: SweepDeliveriesDeps = {
    clock,
    shards: DUE_SHARDS,
    pageSize: 10,
    watch: deliveryWatch(table),
    deliveries: deliver.deliveries,
    queue,
    report,
  };

  const dispatchDue = async (deps = deliver): Promise<number> => {
    const due = queued.filter(({ atMs }) => atMs <= nowMs);
    for (const each of due) queued.splice(queued.indexOf(each), 1);
    for (let at = 0; at < due.length; at += 10) {
      const hints = due.slice(at, at + 10).map(({ hint }) => hint);
      await deliverBatch(deps, hints, nowMs + 30_000);
    }
    return due.length;
  };

  return Object.assign(world, {
    accountId,
    table,
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
      await webhookRegistrar(table, glass).insert(accountId, endpoint, `whsec_${randomUUID()}`, nowMs);
      return endpoint;
    },
    unregister: (webhookId: string) => webhookRemover(table).remove(accountId, webhookId),
    endpoint: (webhookId: string) => webhookReader(table).find(accountId, webhookId),
    find: deliveryReader(table).find,

    relayOrders: (...orders: readonly RelayOrder[]) =>
      relayBatch(
        relay,
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
}
