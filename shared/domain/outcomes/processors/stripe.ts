import { createHmac, timingSafeEqual } from 'node:crypto';
import { declineReason, STRIPE_3DS, stripeCheck } from './decline-codes';
import {
  amountOf,
  cardOf,
  instantOf,
  type Json,
  needText,
  objectOf,
  type ReportedOutcome,
  textOf,
  UnreadableNotification,
} from './notification';

/*
 * Stripe's webhooks. The signature (docs.stripe.com/webhooks/signature) is HMAC-SHA-256 of `<time>.<body>`, in hex, with
 * the text of the signing secret as the key:
 *
 *   Stripe-Signature: t=1700000000,v1=5257a8…,v1=<by the secret that is being replaced>,v0=<test scheme, never valid>
 */

/** Stripe's own default: older signatures may be replays. */
const TOLERANCE_MS = 5 * 60_000;

function signaturesIn(header: string): { readonly time: string; readonly v1: readonly string[] } {
  const pairs = header.split(',').map((part) => part.split('=', 2));
  const valuesOf = (name: string) => pairs.flatMap(([key = '', value = '']) => (key.trim() === name ? [value] : []));
  return { time: valuesOf('t')[0] ?? '', v1: valuesOf('v1') };
}

/** Whether Stripe signed this body, within the last minutes. */
export function isFromStripe(body: string, header: string | undefined, secret: string, nowMs: number): boolean {
  if (header === undefined) return false;
  const { time, v1 } = signaturesIn(header);
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs - 1000 * Number(time)) > TOLERANCE_MS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.${body}`, 'utf8').digest();
  return v1.some((hex) => {
    const given = Buffer.from(hex, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Stripe sends the ID of an object, or the object itself where an endpoint is set up to expand it. */
const idOf = (value: unknown): string | undefined => textOf(typeof value === 'string' ? value : objectOf(value).id);

function referencesOf({ payment_intent, charge }: Json): string[] {
  const found = [payment_intent, charge].map(idOf).filter((each) => each !== undefined);
  if (found.length === 0) throw new UnreadableNotification('neither payment_intent nor charge');
  return found;
}

const secondsOf = (value: unknown): number => (typeof value === 'number' ? 1000 * value : Number.NaN);

/** The network's reason, where Stripe passes it on; otherwise Stripe's category. */
function reasonOf({ reason, payment_method_details }: Json): Pick<ReportedOutcome, 'reason_code' | 'network'> {
  const card = objectOf(objectOf(payment_method_details).card);
  const [code, network] = [textOf(card.network_reason_code), textOf(card.brand)];
  if (code !== undefined && network !== undefined) return { reason_code: code, network };
  return { reason_code: needText(reason, 'reason'), network: 'stripe' };
}

const INQUIRY = /^warning_/;
/** An inquiry that was answered, or a dispute that was won or withdrawn by the customer. */
const SETTLED_FOR_MERCHANT: ReadonlySet<unknown> = new Set(['won', 'warning_closed']);

function opened(dispute: Json): ReportedOutcome | undefined {
  const { amount, currency } = amountOf(dispute.amount, dispute.currency);
  const stated = {
    source_id: needText(dispute.id, 'dispute ID'),
    references: referencesOf(dispute),
    ...{ amount, currency, ...reasonOf(dispute), occurred_at: instantOf(secondsOf(dispute.created)) },
  };
  if (!INQUIRY.test(textOf(dispute.status) ?? '')) return { type: 'chargeback', ...stated };
  // So far the bank only asks: that is a warning, and not even that unless it is about fraud.
  return textOf(dispute.reason) === 'fraudulent' ? { type: 'early_fraud_warning', ...stated } : undefined;
}

function closed(dispute: Json, occurred_at: string): ReportedOutcome | undefined {
  if (!SETTLED_FOR_MERCHANT.has(dispute.status)) return undefined;
  return {
    ...{
      type: 'dispute_won',
      source_id: needText(dispute.id, 'dispute ID'),
      references: referencesOf(dispute),
      occurred_at,
    },
  };
}

const warned = (warning: Json): ReportedOutcome => ({
  type: 'early_fraud_warning',
  source_id: needText(warning.id, 'warning ID'),
  references: referencesOf(warning),
  reason_code: textOf(warning.fraud_type),
  occurred_at: instantOf(secondsOf(warning.created)),
});

/** The card checks by Stripe and the bank; `checks` is present whatever the result of the payment. */
function checksOf(card: Json): Pick<ReportedOutcome, 'cvc_check' | 'address_check' | 'three_d_secure'> {
  const checks = objectOf(card.checks);
  const three_d_secure = STRIPE_3DS[textOf(objectOf(card.three_d_secure).result) ?? ''];
  return {
    cvc_check: stripeCheck(checks.cvc_check),
    address_check: stripeCheck(checks.address_line1_check, checks.address_postal_code_check),
    ...(three_d_secure === undefined ? {} : { three_d_secure }),
  };
}

/** Stripe knows a card by its number, or by the wallet's number for it (docs.stripe.com/api/charges/object). */
const stripeCard = ({ fingerprint }: Json) => cardOf(undefined, fingerprint);

/** A charge that the bank authorized or declined. The bank's code is the reason of its outcome. */
function charged(charge: Json, type: 'authorized' | 'declined'): ReportedOutcome {
  const id = needText(charge.id, 'charge ID');
  const card = objectOf(objectOf(charge.payment_method_details).card);
  const [code, failure] = [textOf(objectOf(charge.outcome).reason), textOf(charge.failure_code)];
  return {
    ...{ type, source_id: id, references: referencesOf({ ...charge, charge: id }) },
    ...(type === 'declined'
      ? { reason_code: code ?? failure, decline_reason: declineReason('stripe', code, failure), ...stripeCard(card) }
      : {}),
    ...{ network: textOf(card.brand), ...amountOf(charge.amount, charge.currency), ...checksOf(card) },
    occurred_at: instantOf(secondsOf(charge.created)),
  };
}

/**
 * A payment that failed: the same decline as its `charge.failed`, by the same source, if the bank was asked at all. One that
 * ended before that (3-D Secure failed) has no charge.
 */
function failed(intent: Json, event: Json): ReportedOutcome {
  const error = objectOf(intent.last_payment_error);
  const id = needText(intent.id, 'payment intent ID');
  const charge = idOf(error.charge) ?? idOf(intent.latest_charge);
  const [decline, code] = [textOf(error.decline_code), textOf(error.code)];
  const card = objectOf(objectOf(error.payment_method).card);
  return {
    type: 'declined',
    source_id: charge ?? `${id}/${needText(event.id, 'event ID')}`,
    references: referencesOf({ payment_intent: id, charge }),
    ...{ reason_code: decline ?? code, decline_reason: declineReason('stripe', decline, code), ...stripeCard(card) },
    ...{ network: textOf(card.brand), ...amountOf(intent.amount, intent.currency), ...checksOf(card) },
    ...(code === 'payment_intent_authentication_failure' ? { three_d_secure: 'failed' as const } : {}),
    occurred_at: instantOf(secondsOf(event.created)),
  };
}

/** The outcome an event reports; none if it is about something else. @throws UnreadableNotification */
export function readStripe(body: string): ReportedOutcome[] {
  let event: Json;
  try {
    event = objectOf(JSON.parse(body));
  } catch {
    throw new UnreadableNotification('not JSON');
  }
  const type = needText(event.type, 'type');
  const object = objectOf(objectOf(event.data).object);
  const reported = (): ReportedOutcome | undefined => {
    switch (type) {
      case 'charge.dispute.created':
        return opened(object);
      case 'charge.dispute.closed':
        return closed(object, instantOf(secondsOf(event.created)));
      case 'radar.early_fraud_warning.created':
        return warned(object);
      case 'charge.succeeded':
        return charged(object, 'authorized');
      case 'charge.failed':
        return charged(object, 'declined');
      case 'payment_intent.payment_failed':
        return failed(object, event);
      default:
        return undefined;
    }
  };
  const found = reported();
  return found ? [found] : [];
}
