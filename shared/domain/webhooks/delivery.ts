import { ulidTimeMs } from '../ulid';
import type { DeliveryOutcome } from './delivery-outcome';
import { type DeliveryState, type DeliveryStatus, newDelivery, type Pending } from './delivery-state';
import type { StoredMessage } from './webhook-event';
import { derivedId } from './webhook-message';

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
