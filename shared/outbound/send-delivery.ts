import { traceparentOf } from '../domain/traceparent';
import type { DeliveryOutcome } from '../domain/webhooks/retry-schedule';
import type { SecretEndpoint } from '../domain/webhooks/webhook-endpoint';
import type { StoredMessage } from '../domain/webhooks/webhook-event';
import { type GuardedPost, postGuarded } from './guarded-client';
import { signatureHeaders } from './sign';

/** The local escape hatch; empty in every deployment. */
export type EscapeHatch = Pick<GuardedPost, 'allowCidrs' | 'extraCa'>;

interface Outgoing {
  readonly endpoint: SecretEndpoint;
  readonly message: StoredMessage;
  readonly deliveryId: string;
  readonly attempt: number;
}

const USER_AGENT = 'fraud-screening-webhooks/1';

export const sendDelivery =
  (clock: { now(): number }, durationClock: () => number, hatch: EscapeHatch = {}) =>
  ({ endpoint, message, deliveryId, attempt }: Outgoing): Promise<DeliveryOutcome> => {
    const { message_id: messageId, event_type, body, trace } = message;
    const nowMs = clock.now();
    const timestampSeconds = Math.floor(nowMs / 1000);
    const { signing_secret: secret, previous } = endpoint;
    const previousSecret = previous && previous.untilMs > nowMs ? previous.secret : undefined;
    return postGuarded({
      url: endpoint.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders({ secret, previousSecret, messageId, body, timestampSeconds }),
        'X-Service-Event': event_type,
        'X-Service-Delivery': deliveryId,
        'X-Service-Attempt': String(attempt),
        ...(trace === undefined ? {} : { traceparent: traceparentOf(trace) }),
      },
      body,
      now: durationClock,
      ...hatch,
    });
  };
