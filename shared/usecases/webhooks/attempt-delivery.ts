import { unavailable } from '../../domain/errors';
import { traceIdOf } from '../../domain/traceparent';
import { type DeliveryStep, deliveryAttempt, type PendingDelivery } from '../../domain/webhooks/delivery';
import type { DeliveryOutcome } from '../../domain/webhooks/delivery-outcome';
import {
  type CancelReason,
  cancel,
  claim,
  type DeliveryStatus,
  isQueueable,
  type Pending,
  queueDelayMs,
  settle,
  watchAtMs,
} from '../../domain/webhooks/delivery-state';
import { type DelayedMessage, type QueueMessage, queueMessageOf } from '../../domain/webhooks/queue-message';
import { type DisableReason, type SecretEndpoint, START_WITHIN_MS } from '../../domain/webhooks/webhook-endpoint';
import type { StoredMessage } from '../../domain/webhooks/webhook-event';
import type { Gate } from './endpoint-gate';

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
 *   claim ──► endpoint still there? ──► sign and POST ──► settle ──► (queue the next)
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
  const settled = settle(running.state, { attempt, outcome, endedAtMs, random: deps.random });
  if (settled.kind === 'lost') throw new Error('A delivery that was just claimed cannot be settled');
  const { state } = settled;
  const step = { after: state, record: deliveryAttempt(attempt, startedAtMs, outcome), ...lookAt(state, endedAtMs) };
  const judged = gate.ended(outcome).catch((error) => {
    // The delivery does not depend on it; the next attempt will find the same about the endpoint.
    deps.report('an outcome was not held for or against its endpoint', error);
    return false;
  });
  const [wasOurs, isDead] = await Promise.all([deps.deliveries.step(running, step), judged]);
  if (wasOurs && state.status === 'pending') await queueNext(deps, { ...delivery, state }, endedAtMs);
  const isGone = settled.disableEndpoint && (await deps.endpoints.disable(account_id, webhook_id, 'gone', endedAtMs));
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
