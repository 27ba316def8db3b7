import { createHmac } from 'node:crypto';
import { UsageError } from '../../shared/cli/command-line';
import type { Provider } from '../../shared/domain/outcomes/processors/notification';

export interface Sample {
  readonly provider: Provider;
  readonly kind: string;
  /** The payment: a payment intent at Stripe, the PSP or merchant reference at Adyen. */
  readonly reference: string;
  readonly secret: string;
  readonly nowMs: number;
}

export interface SignedNotification {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STRIPE_EVENTS: Readonly<Record<string, readonly [type: string, status: string]>> = {
  dispute: ['charge.dispute.created', 'needs_response'],
  won: ['charge.dispute.closed', 'won'],
  warning: ['radar.early_fraud_warning.created', ''],
  authorized: ['charge.succeeded', 'succeeded'],
  declined: ['charge.failed', 'failed'],
};

const ADYEN_EVENTS: Readonly<Record<string, string>> = {
  dispute: 'CHARGEBACK',
  won: 'CHARGEBACK_REVERSED',
  warning: 'NOTIFICATION_OF_FRAUD',
  authorized: 'AUTHORISATION',
  declined: 'AUTHORISATION',
};

export const SAMPLE_KINDS: readonly string[] = Object.keys(STRIPE_EVENTS);

function eventOf<Event>(events: Readonly<Record<string, Event>>, kind: string): Event {
  const event = Object.hasOwn(events, kind) ? events[kind] : undefined;
  if (event === undefined) throw new UsageError(`Unknown event ${kind}; known are ${SAMPLE_KINDS.join(', ')}.`);
  return event;
}

function stripeSample({ kind, reference, secret, nowMs }: Sample): SignedNotification {
  const [type, status] = eventOf(STRIPE_EVENTS, kind);
  const created = Math.floor(nowMs / 1000);
  const id = `${type.startsWith('radar') ? 'issfr' : type.includes('dispute') ? 'dp' : 'ch'}_of_${reference}`;
  const about = { id, payment_intent: reference, created, status, reason: 'fraudulent', fraud_type: 'misc' };
  const declined = { failure_code: 'card_declined', outcome: { reason: 'do_not_honor' } };
  const object = { ...about, amount: 2500, currency: 'eur', ...(kind === 'declined' ? declined : {}) };
  const body = JSON.stringify({ id: `evt_${created}_${id}_${kind}`, type, created, data: { object } });
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  return { body, headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${created},v1=${signature}` } };
}

function adyenSample({ kind, reference, secret, nowMs }: Sample): SignedNotification {
  const item = {
    pspReference: eventOf(ADYEN_EVENTS, kind) === 'AUTHORISATION' ? `PAYMENT-${reference}` : `DISPUTE-${reference}`,
    originalReference: reference,
    merchantAccountCode: 'SampleMerchant',
    merchantReference: reference,
    amount: { value: 2500, currency: 'EUR' },
    eventCode: eventOf(ADYEN_EVENTS, kind),
    success: kind === 'declined' ? 'false' : 'true',
    ...(kind === 'declined' ? { reason: 'Refused' } : {}),
    eventDate: new Date(nowMs).toISOString(),
  };
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item;
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference];
  const signed = [...parts, amount.value, amount.currency, eventCode, success].join(':');
  const hmacSignature = createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64');
  const additionalData = { hmacSignature, chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' };
  const notificationItems = [{ NotificationRequestItem: { ...item, additionalData } }];
  return {
    body: JSON.stringify({ live: 'false', notificationItems }),
    headers: { 'Content-Type': 'application/json' },
  };
}

export const sampleNotification = (sample: Sample): SignedNotification =>
  sample.provider === 'stripe' ? stripeSample(sample) : adyenSample(sample);
