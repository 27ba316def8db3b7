import { ulidTimeMs } from '../ulid';
import { type DeliveryOutcome, MAX_DELIVERY_ATTEMPTS, nextStep } from './retry-schedule';
import { derivedId, type StoredMessage } from './webhook-event';

/**
 * The state of a delivery. What is stored is the source of truth; a queue message only says that it may be due.
 *
 *   pending ──claim──► pending, leased ──2xx──► delivered
 *      ▲  │                │      │ └─────────► failed     (tenth attempt, or 410)
 *      │  └──► cancelled ◄─┘      │
 *      └── retry, or lease over ──┘
 *
 * `attempt` counts attempts begun and only grows, which makes it the fence: a message, a result or a claim with
 * a number other than the stored one is late and loses.
 */
export type DeliveryState = Pending | Delivered | FailedDelivery | Cancelled;

export interface Pending {
  readonly status: 'pending';
  readonly attempt: number;
  /** Always set: while leased, it is the end of the lease, so that the due index finds an attempt whose sender died. */
  readonly next_attempt_at: string;
  readonly lease_until: string | null;
}

export interface Delivered {
  readonly status: 'delivered';
  readonly attempt: number;
  readonly completed_at: string;
}

export interface FailedDelivery {
  readonly status: 'failed';
  readonly attempt: number;
  readonly completed_at: string;
  readonly reason: 'attempts_exhausted' | 'endpoint_gone';
}

export interface Cancelled {
  readonly status: 'cancelled';
  readonly attempt: number;
  readonly completed_at: string;
  readonly reason: CancelReason;
}

export type DeliveryStatus = DeliveryState['status'];
export type CancelReason = 'endpoint_deleted' | 'endpoint_disabled';

/** Longer than the 10.5 s that an attempt can take plus its writes; as long as the function may run. */
export const LEASE_MS = 30_000;

/** Queues and clocks are this inexact; a message that is early by at most this much is accepted. */
export const EARLY_MS = 1_000;

const iso = (ms: number): string => new Date(ms).toISOString();

/** A delivery that is due immediately. */
export const newDelivery = (nowMs: number): Pending => ({
  status: 'pending',
  attempt: 0,
  next_attempt_at: iso(nowMs),
  lease_until: null,
});

export type Claim =
  | { readonly kind: 'claimed'; readonly state: Pending }
  | { readonly kind: 'lost'; readonly why: 'finished' | 'other_attempt' | 'leased' | 'not_due' | 'exhausted' };

/**
 * Claims a delivery for one attempt. `seenAttempt` is the number that the queue message or the sweep saw; the store
 * writes the result on condition that the number is unchanged and there is no live lease.
 */
export function claim(state: DeliveryState, seenAttempt: number, nowMs: number): Claim {
  if (state.status !== 'pending') return { kind: 'lost', why: 'finished' };
  if (state.attempt !== seenAttempt) return { kind: 'lost', why: 'other_attempt' };
  if (isLeased(state, nowMs)) return { kind: 'lost', why: 'leased' };
  if (Date.parse(state.next_attempt_at) > nowMs + EARLY_MS) return { kind: 'lost', why: 'not_due' };
  if (state.attempt >= MAX_DELIVERY_ATTEMPTS) return { kind: 'lost', why: 'exhausted' };
  const lease_until = iso(nowMs + LEASE_MS);
  const attempt = state.attempt + 1;
  return { kind: 'claimed', state: { status: 'pending', attempt, next_attempt_at: lease_until, lease_until } };
}

export interface Result {
  readonly attempt: number;
  readonly outcome: DeliveryOutcome;
  readonly endedAtMs: number;
  readonly random: () => number;
}

export type Conclusion =
  | { readonly kind: 'concluded'; readonly state: DeliveryState; readonly disableEndpoint: boolean }
  /** Someone else has the delivery, or it is over: the result is logged and changes nothing. */
  | { readonly kind: 'lost' };

/** The next state of a delivery after an attempt. */
export function concludeAttempt(state: DeliveryState, { attempt, outcome, endedAtMs, random }: Result): Conclusion {
  if (state.status !== 'pending' || state.attempt !== attempt || state.lease_until === null) return { kind: 'lost' };
  const completed_at = iso(endedAtMs);
  if (outcome.kind === 'delivered') {
    return { kind: 'concluded', state: { status: 'delivered', attempt, completed_at }, disableEndpoint: false };
  }
  const step = nextStep({ attempt, outcome, endedAtMs, random });
  switch (step.kind) {
    case 'retry': {
      const waiting: Pending = { status: 'pending', attempt, next_attempt_at: iso(step.atMs), lease_until: null };
      return { kind: 'concluded', state: waiting, disableEndpoint: false };
    }
    case 'exhausted':
      return { kind: 'concluded', state: failed(attempt, completed_at, 'attempts_exhausted'), disableEndpoint: false };
    case 'disable_endpoint':
      return { kind: 'concluded', state: failed(attempt, completed_at, 'endpoint_gone'), disableEndpoint: true };
    default:
      return step satisfies never;
  }
}

/** Postpones a delivery that nobody holds (open breaker, too many in flight). It does not use up an attempt. */
export function postpone(state: DeliveryState, untilMs: number, nowMs: number): DeliveryState {
  if (state.status !== 'pending' || isLeased(state, nowMs)) return state;
  return { ...state, next_attempt_at: iso(untilMs), lease_until: null };
}

/** Ends a delivery whose endpoint is gone. A finished one stays as it is. */
export function cancel(state: DeliveryState, reason: CancelReason, nowMs: number): DeliveryState {
  switch (state.status) {
    case 'pending':
      return { status: 'cancelled', attempt: state.attempt, completed_at: iso(nowMs), reason };
    case 'delivered':
    case 'failed':
    case 'cancelled':
      return state;
    default:
      return state satisfies never;
  }
}

/** A queue holds a message back for at most this long; longer waits are left to the sweep. */
export const MAX_QUEUE_DELAY_MS = 900_000;
/** How long before the due time the sweep hands a long wait to the queue, which then keeps the exact second. */
export const LOOKAHEAD_MS = 300_000;
/** How long after the due time a message may still be in transit before the sweep sends another. */
export const WATCH_GRACE_MS = 60_000;
const MAX_GRACE_DOUBLINGS = 4;

/** How long the queue must hold back the message of a pending delivery. */
export const queueDelayMs = ({ next_attempt_at }: Pending, nowMs: number): number =>
  Math.max(0, Date.parse(next_attempt_at) - nowMs);

/** Whether a queue can hold back a message for that long. */
export const isQueueable = (state: Pending, nowMs: number): boolean => queueDelayMs(state, nowMs) <= MAX_QUEUE_DELAY_MS;

/**
 * When the sweep must look at a pending delivery. Each time it had to (`requeues`), the wait until the next look
 * doubles: behind a long queue nothing is lost, and sending messages again would only make it longer.
 */
export function watchAtMs(state: Pending, nowMs: number, requeues = 0): number {
  const dueMs = nowMs + queueDelayMs(state, nowMs);
  if (!isQueueable(state, nowMs)) return dueMs - LOOKAHEAD_MS;
  return dueMs + WATCH_GRACE_MS * 2 ** Math.min(requeues, MAX_GRACE_DOUBLINGS);
}

/**
 * The sweep's action on a delivery it watches: it sends a message (again), to arrive when the delivery is due, and
 * closes one whose sender died in the tenth attempt.
 */
export function sweep(state: DeliveryState, nowMs: number): 'queue' | 'leave' | FailedDelivery {
  if (state.status !== 'pending') return 'leave';
  if (state.attempt < MAX_DELIVERY_ATTEMPTS) return isQueueable(state, nowMs) ? 'queue' : 'leave';
  return queueDelayMs(state, nowMs) > 0 ? 'leave' : failed(state.attempt, iso(nowMs), 'attempts_exhausted');
}

const isLeased = (state: Pending, nowMs: number): boolean =>
  state.lease_until !== null && Date.parse(state.lease_until) > nowMs;

const failed = (attempt: number, completed_at: string, reason: FailedDelivery['reason']): FailedDelivery => ({
  status: 'failed',
  attempt,
  completed_at,
  reason,
});

/** Deliveries and messages can be looked up, and resent, for this long. */
export const DELIVERY_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The record of a delivery attempt, for the merchant. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly outcome: DeliveryOutcome['kind'];
  readonly status_code: number | null;
  /** Why there was no status: a code such as ECONNREFUSED, or how far it got before the timeout. */
  readonly error: string | null;
  readonly answer: string | null;
}

/** One message on its way to one endpoint. */
export interface Delivery {
  readonly delivery_id: string;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly event_type: StoredMessage['event_type'];
  readonly created_at: string;
  /** Its origin; all but events are created by a request, and queued by the relay. */
  readonly origin: 'event' | 'redelivery' | 'test';
  readonly redelivery_of: string | null;
  readonly state: DeliveryState;
  readonly attempts: readonly DeliveryAttempt[];
  /** Its message, packed, if that is small. @default the message has a separate item */
  readonly packed?: Uint8Array;
}

/** A page of an endpoint's deliveries. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly isCut: boolean;
  readonly disabledAt?: string | undefined;
}

/** A delivery that is not finished. */
export type PendingDelivery = Delivery & { readonly state: Pending };

type NewDelivery = Pick<Delivery, 'webhook_id' | 'origin'> & { readonly redelivery_of?: string };

type MessageRef = Pick<StoredMessage, 'account_id' | 'message_id' | 'event_type'> & Pick<Delivery, 'packed'>;

/** A delivery of a message, due immediately. */
export function deliveryOf(message: MessageRef, to: NewDelivery, delivery_id: string, nowMs: number): PendingDelivery {
  const { account_id, message_id, event_type, packed } = message;
  return {
    delivery_id,
    account_id,
    webhook_id: to.webhook_id,
    message_id,
    event_type,
    created_at: new Date(ulidTimeMs(delivery_id.slice('dlv_'.length))).toISOString(),
    origin: to.origin,
    redelivery_of: to.redelivery_of ?? null,
    state: newDelivery(nowMs),
    attempts: [],
    ...(packed === undefined ? {} : { packed }),
  };
}

/** The id of an event's delivery to an endpoint: the same however often the event is relayed. */
export const eventDeliveryId = ({ message_id, created_at }: StoredMessage, webhookId: string): string =>
  derivedId('dlv', Date.parse(created_at), message_id, webhookId);

/** The identity of a delivery. */
export type DeliveryRef = Pick<Delivery, 'account_id' | 'webhook_id' | 'delivery_id'>;

/** The next step of a pending delivery. */
export interface DeliveryStep {
  readonly after: DeliveryState;
  readonly record?: DeliveryAttempt;
  /** When the sweep must look; unchanged if absent. */
  readonly lookAtMs?: number;
  /** How often the sweep had to send a queue message for this state; any other step resets it. */
  readonly requeues?: number;
  /** A step of the sweep: the second of two concurrent sweeps finds that the time of the next look has changed. */
  readonly watchedAt?: string;
}

const SHAPE = /^dlv_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text can be the id of a delivery that is still stored. */
export const isKeptDeliveryId = (id: string, nowMs: number): boolean =>
  SHAPE.test(id) && nowMs - ulidTimeMs(id.slice('dlv_'.length)) < DELIVERY_RETENTION_MS;

/** The stored form of a delivery attempt. */
export function deliveryAttempt(attempt: number, startedAtMs: number, outcome: DeliveryOutcome): DeliveryAttempt {
  const started_at = new Date(startedAtMs).toISOString();
  const common = { attempt, started_at, duration_ms: outcome.duration_ms, outcome: outcome.kind };
  switch (outcome.kind) {
    case 'delivered':
    case 'refused':
      return { ...common, status_code: outcome.status_code, error: null, answer: outcome.answer };
    case 'timeout':
      return { ...common, status_code: null, error: `timeout in ${outcome.phase}`, answer: null };
    case 'blocked':
    case 'tls':
    case 'network':
      return { ...common, status_code: null, error: outcome.reason, answer: null };
    default:
      return outcome satisfies never;
  }
}

/** Deliveries pending for a disabled endpoint are over from that instant, whether or not this has been written yet. */
export const stateAt = (state: DeliveryState, disabledAt: string | undefined): DeliveryState =>
  state.status === 'pending' && disabledAt !== undefined
    ? { status: 'cancelled', attempt: state.attempt, completed_at: disabledAt, reason: 'endpoint_disabled' }
    : state;

/** The newest deliveries in one of these statuses, at most `want`, as far as they are retained at `nowMs`. */
export interface DeliverySelection {
  readonly statuses: readonly DeliveryStatus[];
  readonly want: number;
  readonly nowMs: number;
}

/** Which stored statuses a merchant's filter matches, for an endpoint that is enabled or disabled. */
export function storedStatuses(status: DeliveryStatus | undefined, isDisabled: boolean): readonly DeliveryStatus[] {
  if (status === undefined) return ['pending', 'delivered', 'failed', 'cancelled'];
  if (!isDisabled) return [status];
  if (status === 'pending') return [];
  return status === 'cancelled' ? ['cancelled', 'pending'] : [status];
}
