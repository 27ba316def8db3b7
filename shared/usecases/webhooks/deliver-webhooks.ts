import type { PendingDelivery } from '../../domain/webhooks/delivery';
import { cancel, claim, isQueueable, postpone, queueDelayMs, watchAtMs } from '../../domain/webhooks/delivery-state';
import { DELIVERY_ATTEMPT_BUDGET_MS, type Entry } from '../../domain/webhooks/endpoint-state';
import {
  type DelayedMessage,
  type QueuedDeliveries,
  type QueueMessage,
  queueMessageOf,
} from '../../domain/webhooks/queue-message';
import { type AttemptDeliveryDeps, attemptDelivery, cancelReason, freshEndpoint, type Job } from './attempt-delivery';
import { type Gate, type GateDeps, openGate } from './endpoint-gate';

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
