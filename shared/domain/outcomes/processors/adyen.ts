import { createHmac, timingSafeEqual } from 'node:crypto';
import { adyen3ds, adyenCheck, declineReason } from './decline-codes';
import {
  amountOf,
  cardOf,
  instantOf,
  type Json,
  needText,
  objectOf,
  type ReportedOutcome,
  textOf,
} from './notification';

/*
 * Adyen's standard webhooks (docs.adyen.com/development-resources/webhooks). Each item of a notification has its own
 * signature: HMAC-SHA-256, in base64, of some of its members joined by colons, with the hex key as bytes.
 */

function itemsOf(body: string): Json[] | undefined {
  try {
    const { notificationItems } = objectOf(JSON.parse(body));
    if (!Array.isArray(notificationItems) || notificationItems.length === 0) return undefined;
    return notificationItems.map((each) => objectOf(objectOf(each).NotificationRequestItem));
  } catch {
    return undefined;
  }
}

const signedPart = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

function isSigned(item: Json, key: Uint8Array): boolean {
  const amount = objectOf(item.amount);
  const parts = [item.pspReference, item.originalReference, item.merchantAccountCode, item.merchantReference];
  const signed = [...parts, amount.value, amount.currency, item.eventCode, item.success].map(signedPart).join(':');
  const expected = createHmac('sha256', key).update(signed, 'utf8').digest();
  const given = Buffer.from(signedPart(objectOf(item.additionalData).hmacSignature), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether Adyen signed every item of this body. */
export function isFromAdyen(body: string, hexKey: string): boolean {
  const key = Buffer.from(hexKey, 'hex');
  return itemsOf(body)?.every((item) => isSigned(item, key)) ?? false;
}

interface Report {
  readonly type: ReportedOutcome['type'];
  /** A second round is a separate dispute: winning the first does not withdraw it. */
  readonly isSecondRound?: true;
}

/** Reports by event code. A dispute's events share its `pspReference`; other codes are about something else. */
const REPORTS: Readonly<Record<string, Report>> = {
  NOTIFICATION_OF_FRAUD: { type: 'early_fraud_warning' },
  NOTIFICATION_OF_CHARGEBACK: { type: 'chargeback' },
  CHARGEBACK: { type: 'chargeback' },
  SECOND_CHARGEBACK: { type: 'chargeback', isSecondRound: true },
  PREARBITRATION_LOST: { type: 'chargeback', isSecondRound: true },
  CHARGEBACK_REVERSED: { type: 'dispute_won' },
  PREARBITRATION_WON: { type: 'dispute_won' },
};

/** Whether the bank authorized a payment; `reason` explains a refusal, and means something else otherwise. */
function authorised(item: Json): ReportedOutcome {
  const data = objectOf(item.additionalData);
  const isDeclined = signedPart(item.success) !== 'true';
  const reason = isDeclined ? textOf(item.reason) : undefined;
  const payment = needText(item.pspReference, 'pspReference');
  const amount = objectOf(item.amount);
  const three_d_secure = adyen3ds(data, reason);
  return {
    type: isDeclined ? 'declined' : 'authorized',
    source_id: payment,
    references: [item.originalReference, payment, item.merchantReference]
      .map(textOf)
      .filter((each) => each !== undefined),
    ...(isDeclined
      ? {
          ...{ reason_code: reason, decline_reason: declineReason('adyen', reason, textOf(data.refusalReasonCode)) },
          // docs.adyen.com/unified-commerce/collect-data: an alias per card number, the PAR for a card and its wallets.
          ...cardOf(data.PaymentAccountReference, data.alias),
        }
      : {}),
    network: textOf(item.paymentMethod),
    ...amountOf(amount.value, amount.currency),
    ...{ cvc_check: adyenCheck(data.cvcResult), address_check: adyenCheck(data.avsResult), three_d_secure },
    occurred_at: instantOf(needText(item.eventDate, 'eventDate')),
  };
}

function reportedBy(item: Json): ReportedOutcome[] {
  const code = needText(item.eventCode, 'eventCode');
  if (code === 'AUTHORISATION') return [authorised(item)];
  const report = Object.hasOwn(REPORTS, code) ? REPORTS[code] : undefined;
  if (report === undefined || signedPart(item.success) !== 'true') return [];
  const dispute = needText(item.pspReference, 'pspReference');
  const { chargebackReasonCode, chargebackSchemeCode } = objectOf(item.additionalData);
  const references = [item.originalReference, dispute, item.merchantReference].map(textOf);
  const amount = objectOf(item.amount);
  return [
    {
      type: report.type,
      source_id: report.isSecondRound ? `${dispute}/second` : dispute,
      references: references.filter((each) => each !== undefined),
      ...(report.type === 'chargeback'
        ? { reason_code: textOf(chargebackReasonCode), network: textOf(chargebackSchemeCode) }
        : {}),
      ...amountOf(amount.value, amount.currency),
      occurred_at: instantOf(needText(item.eventDate, 'eventDate')),
    },
  ];
}

/** Outcomes reported by the items of a verified body. @throws UnreadableNotification */
export const readAdyen = (body: string): ReportedOutcome[] => (itemsOf(body) ?? []).flatMap(reportedBy);
