import { unavailable } from '../../domain/errors';
import { traceIdOf } from '../../domain/traceparent';
import {
  type CancelReason,
  cancel,
  claim,
  concludeAttempt,
  type DeliveryStatus,
  type DeliveryStep,
  deliveryAttempt,
  isQueueable,
  type Pending,
  type PendingDelivery,
  postpone,
  queueDelayMs,
  watchAtMs,
} from '../../domain/webhooks/delivery';
import { DELIVERY_ATTEMPT_BUDGET_MS, type Entry } from '../../domain/webhooks/endpoint-state';
import {
  type DelayedMessage,
  type QueuedDeliveries,
  type QueueMessage,
  queueMessageOf,
} from '../../domain/webhooks/queue-message';
import type { DeliveryOutcome } from '../../domain/webhooks/retry-schedule';
import { type DisableReason, type SecretEndpoint, START_WITHIN_MS } from '../../domain/webhooks/webhook-endpoint';
import type { StoredMessage } from '../../domain/webhooks/webhook-event';
import { type Gate, type GateDeps, openGate } from './endpoint-gate';

/** An outgoing delivery: the stored bytes, and what accompanies them. */
export interface OutgoingDelivery {
  readonly endpoint: SecretEndpoint;
  readonly message: StoredMessage;
  readonly deliveryId: string;
  readonly attempt: number;
}

/** How one delivery attempt went, for the log and metrics: ids and numbers, nothing of what was sent or received. */
export interface DeliveryObservation {
  readonly account_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly message_id: string;
  readonly event_type: StoredMessage['event_type'];
  /** Of the request that was screened. @default it sent no trace */
  readonly trace_id?: string;
  readonly attempt: number;
  readonly outcome: DeliveryOutcome;
  /** From the event, or the redelivery request, to the first byte of this attempt. */
  readonly latencyMs: number;
  /** The delivery's new status; undefined if somebody else has changed it in the meantime. */
  readonly status: DeliveryStatus | undefined;
  readonly disabledEndpoint: boolean;
}

/** Dependencies of a delivery attempt. */
export interface AttemptDeliveryDeps {
  readonly clock: { now(): number };
  readonly random: () => number;
  readonly endpoints: {
    find(accountId: string, webhookId: string): Promise<SecretEndpoint | undefined>;
    disable(accountId: string, webhookId: string, reason: DisableReason, nowMs: number): Promise<boolean>;
  };
  readonly deliveries: { step(before: PendingDelivery, step: DeliveryStep): Promise<boolean> };
  readonly queue: { send(queueMessages: readonly DelayedMessage[]): Promise<number> };
  readonly post: (attempt: OutgoingDelivery) => Promise<DeliveryOutcome>;
  readonly observe: (observation: DeliveryObservation) => void;
  readonly report: (problem: string, error: unknown) => void;
}

/** A delivery that seems to be due, with everything needed to send it. */
export interface Job {
  readonly queueMessage: QueueMessage;
  readonly delivery: PendingDelivery;
  readonly message: StoredMessage;
}

/** An endpoint as it was read, and the time before that: what was found was true at some instant after it. */
export interface SeenEndpoint {
  readonly endpoint: SecretEndpoint | undefined;
  readonly atMs: number;
}

/** Reads an endpoint again once what was seen of it is too old to begin an attempt with. */
export function freshEndpoint(
  { clock, endpoints }: AttemptDeliveryDeps,
  accountId: string,
  webhookId: string,
  seen?: SeenEndpoint,
) {
  let last = seen;
  const TRIES = 5;
  return async (): Promise<SecretEndpoint | undefined> => {
    for (let tryNumber = 0; tryNumber < TRIES; tryNumber++) {
      if (last && clock.now() - last.atMs <= START_WITHIN_MS) return last.endpoint;
      const atMs = clock.now();
      last = { endpoint: await endpoints.find(accountId, webhookId), atMs };
    }
    throw unavailable(new Error('An endpoint could not be read fast enough to begin a delivery attempt'));
  };
}

/** Why nothing more is sent to an endpoint; undefined if it may be. */
export const cancelReason = (endpoint: SecretEndpoint | undefined): CancelReason | undefined => {
  if (!endpoint) return 'endpoint_deleted';
  return endpoint.status === 'disabled' ? 'endpoint_disabled' : undefined;
};

/**
 * Makes one delivery attempt, if it is still ours to make:
 *
 *   claim ──► endpoint still there? ──► sign and POST ──► conclude ──► (queue the next)
 *     └ lost: somebody else has it      └ crash from here on: the lease ends, and the same bytes go out again
 */
export async function attemptDelivery(
  deps: AttemptDeliveryDeps,
  { queueMessage, delivery, message }: Job,
  endpointNow: () => Promise<SecretEndpoint | undefined>,
  gate: Pick<Gate, 'ended'>,
): Promise<void> {
  const { account_id, webhook_id, delivery_id, message_id, event_type } = delivery;
  const claimed = claim(delivery.state, queueMessage.attempt, deps.clock.now());
  if (claimed.kind === 'lost' || !(await deps.deliveries.step(delivery, { after: claimed.state }))) return;
  const { attempt } = claimed.state;
  const running = { ...delivery, state: claimed.state };

  const endpoint = await endpointNow();
  const reason = cancelReason(endpoint);
  const startedAtMs = deps.clock.now();
  if (!endpoint || reason) {
    await deps.deliveries.step(running, { after: cancel(running.state, reason ?? 'endpoint_deleted', startedAtMs) });
    return;
  }
  const outcome = await deps.post({ endpoint, message, deliveryId: delivery_id, attempt });
  const endedAtMs = deps.clock.now();
  const concluded = concludeAttempt(running.state, { attempt, outcome, endedAtMs, random: deps.random });
  if (concluded.kind === 'lost') throw new Error('A delivery that was just claimed cannot be concluded');
  const { state } = concluded;
  const step = { after: state, record: deliveryAttempt(attempt, startedAtMs, outcome), ...lookAt(state, endedAtMs) };
  const recorded = gate.ended(outcome).catch((error) => {
    // The delivery does not depend on it; the next attempt will find the same about the endpoint.
    deps.report('an outcome was not held for or against its endpoint', error);
    return false;
  });
  const [wasOurs, isDead] = await Promise.all([deps.deliveries.step(running, step), recorded]);
  if (wasOurs && state.status === 'pending') await queueNext(deps, { ...delivery, state }, endedAtMs);
  const isGone = concluded.disableEndpoint && (await deps.endpoints.disable(account_id, webhook_id, 'gone', endedAtMs));
  const latencyMs = startedAtMs - Date.parse(delivery.created_at);
  const status = wasOurs ? state.status : undefined;
  const traced = message.trace && { trace_id: traceIdOf(message.trace) };
  const ids = { account_id, webhook_id, delivery_id, message_id, event_type, ...traced };
  deps.observe({ ...ids, attempt, outcome, latencyMs, status, disabledEndpoint: isDead || isGone });
}

const lookAt = (state: { readonly status: DeliveryStatus }, nowMs: number): { lookAtMs?: number } =>
  state.status === 'pending' ? { lookAtMs: watchAtMs(state as Pending, nowMs) } : {};

async function queueNext({ queue }: AttemptDeliveryDeps, delivery: PendingDelivery, nowMs: number): Promise<void> {
  const { state } = delivery;
  if (isQueueable(state, nowMs))
    await queue.send([{ queueMessage: queueMessageOf(delivery), delayMs: queueDelayMs(state, nowMs) }]);
}

/** Dependencies of delivering. */
export interface DeliverDeps extends AttemptDeliveryDeps, GateDeps {
  readonly endpoints: AttemptDeliveryDeps['endpoints'];
  readonly deliveries: AttemptDeliveryDeps['deliveries'];
  readonly queued: { load(queueMessages: readonly QueueMessage[]): Promise<QueuedDeliveries> };
}

/**
 * How long a delivery waits if its endpoint is busy: 1 s, plus up to this much, growing with each time. That is about
 * as long as it has waited already, so the cost of thousands waiting for one endpoint does not grow quadratically.
 */
const FIRST_PARK_MS = 2_000;
const LAST_PARK_MS = 300_000;

/** State that all groups of a batch share. */
interface Batch {
  readonly loaded: Promise<QueuedDeliveries>;
  /** Before anything was read. */
  readonly begunMs: number;
  readonly deadlineMs: number;
  fail(queueMessage: QueueMessage, error: unknown): void;
}

/** Delivers what a batch of queue messages refers to; returns those that must be received again. */
export async function deliverBatch(
  deps: DeliverDeps,
  queueMessages: readonly QueueMessage[],
  deadlineMs: number,
): Promise<ReadonlySet<QueueMessage>> {
  const groups = new Map<string, QueueMessage[]>();
  for (const queueMessage of queueMessages) {
    const key = `${queueMessage.account_id}/${queueMessage.webhook_id}`;
    groups.set(key, [...(groups.get(key) ?? []), queueMessage]);
  }
  const begunMs = deps.clock.now();
  const loaded = deps.queued.load(queueMessages);
  const failed = new Set<QueueMessage>();
  const fail = (queueMessage: QueueMessage, error: unknown): void => {
    deps.report('a delivery could not be attempted', error);
    failed.add(queueMessage);
  };
  await Promise.all(
    [...groups.values()].map((group) =>
      deliverGroup(deps, group, { loaded, begunMs, deadlineMs, fail }).catch((error) => {
        for (const queueMessage of group) fail(queueMessage, error);
      }),
    ),
  );
  return failed;
}

/** The deliveries of a batch to one endpoint, in parallel as far as the endpoint's slots allow. */
async function deliverGroup(deps: DeliverDeps, queueMessages: readonly QueueMessage[], batch: Batch): Promise<void> {
  const [{ account_id, webhook_id }] = queueMessages as [QueueMessage];
  const found = await batch.loaded;
  const endpoint = await found.endpoint(account_id, webhook_id);
  const endpointNow = freshEndpoint(deps, account_id, webhook_id, { endpoint, atMs: batch.begunMs });
  const jobs = queueMessages.flatMap((queueMessage): Job[] => {
    try {
      return jobsOf(queueMessage, found, deps.clock.now());
    } catch (error) {
      batch.fail(queueMessage, error);
      return [];
    }
  });
  if (jobs.length === 0) return;

  const reason = cancelReason(endpoint);
  if (reason) {
    const nowMs = deps.clock.now();
    await Promise.all(
      jobs.map(({ delivery }) => deps.deliveries.step(delivery, { after: cancel(delivery.state, reason, nowMs) })),
    );
    return;
  }
  const gate = await openGate(deps, account_id, webhook_id, jobs.length);
  if ('kind' in gate) return putOff(deps, jobs, gate);
  try {
    await runThrough(deps, jobs, { gate, endpointNow }, batch);
  } finally {
    await gate.close().catch((error) => deps.report('slots were left to their lease', error));
  }
}

/** The job of a queue message, or nothing (any more). */
function jobsOf(queueMessage: QueueMessage, found: QueuedDeliveries, nowMs: number): Job[] {
  const { delivery, message } = found.delivery(queueMessage);
  if (!delivery || claim(delivery.state, queueMessage.attempt, nowMs).kind === 'lost') return [];
  if (!message) throw new Error('A delivery without its message');
  return [{ queueMessage, delivery: delivery as PendingDelivery, message }];
}

/** An endpoint that accepts attempts: its gate, and a way to read it again before each of them. */
interface OpenEndpoint {
  readonly gate: Gate;
  readonly endpointNow: ReturnType<typeof freshEndpoint>;
}

async function runThrough(
  deps: DeliverDeps,
  jobs: readonly Job[],
  { gate, endpointNow }: OpenEndpoint,
  { deadlineMs, fail }: Pick<Batch, 'deadlineMs' | 'fail'>,
): Promise<void> {
  const waiting = [...jobs];
  const isTime = (): boolean => deps.clock.now() + DELIVERY_ATTEMPT_BUDGET_MS < deadlineMs;
  const worker = async (): Promise<void> => {
    while (waiting.length > 0 && isTime() && gate.mayBegin()) {
      const job = waiting.shift() as Job;
      await attemptDelivery(deps, job, endpointNow, gate).catch((error) => fail(job.queueMessage, error));
    }
  };
  await Promise.all(Array.from({ length: gate.width }, worker));
  // The breaker opened, or time ran out.
  if (waiting.length > 0) await putOff(deps, waiting, { kind: 'busy', isSlow: true });
}

/** Postpones deliveries without an attempt, because their endpoint is held or busy. */
async function putOff(deps: DeliverDeps, jobs: readonly Job[], why: Exclude<Entry, { kind: 'pass' }>): Promise<void> {
  const nowMs = deps.clock.now();
  const queueMessages = await Promise.all(
    jobs.map(async ({ queueMessage, delivery }): Promise<DelayedMessage[]> => {
      const parked = queueMessage.parked ?? 0;
      const untilMs =
        why.kind === 'held'
          ? why.untilMs + deps.random() * why.spreadMs
          : nowMs + 1_000 + deps.random() * Math.min(FIRST_PARK_MS * 2 ** parked, LAST_PARK_MS);
      const after = postpone(delivery.state, Math.round(untilMs), nowMs);
      if (after.status !== 'pending') return [];
      const wasOurs = await deps.deliveries.step(delivery, { after, lookAtMs: watchAtMs(after, nowMs) });
      if (!wasOurs || !isQueueable(after, nowMs)) return [];
      const next = {
        ...queueMessageOf({ ...delivery, state: after }),
        ...(why.kind === 'busy' ? { parked: parked + 1 } : {}),
      };
      return [{ queueMessage: next, delayMs: queueDelayMs(after, nowMs) }];
    }),
  );
  await deps.queue.send(queueMessages.flat());
}

/** Runs something for each item, at most `limit` at once. Rejects with the first failure, after all have ended. */
export async function eachAtMost<Item>(
  limit: number,
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await run(items[next++] as Item);
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  const failed = workers.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}
