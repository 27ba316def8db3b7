import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import { isFromAdyen, readAdyen } from '../../../shared/domain/outcomes/processors/adyen';
import { UnreadableNotification } from '../../../shared/domain/outcomes/processors/notification';

const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const ITEM = {
  additionalData: { chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' },
  amount: { currency: 'EUR', value: 1130 },
  eventCode: 'CHARGEBACK',
  eventDate: '2026-02-28T12:54:41+01:00',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'order:1\\2',
  originalReference: 'PAYMENT1',
  pspReference: 'DISPUTE1',
  success: 'true',
};

/** A notification as Adyen sends it, signed by its library. */
function notification(...changes: readonly object[]): string {
  const items = changes.map((change) => {
    const item = { ...ITEM, ...change } as typeof ITEM;
    const hmacSignature = new HmacValidator().calculateHmac(item as never, KEY);
    return { NotificationRequestItem: { ...item, additionalData: { ...item.additionalData, hmacSignature } } };
  });
  return JSON.stringify({ live: 'false', notificationItems: items });
}

describe('a signature made by Adyen’s library', () => {
  it('is valid for its item and key', () => {
    expect(isFromAdyen(notification({}), KEY)).toBe(true);
    expect(isFromAdyen(notification({ originalReference: undefined, merchantReference: 'Zoë 🍪' }), KEY)).toBe(true);
    expect(isFromAdyen(notification({}), KEY.replace('4', '5'))).toBe(false);
  });

  it('is invalid for anything that differs in what is signed', () => {
    for (const [from, to] of [
      ['1130', '1131'],
      ['DISPUTE1', 'DISPUTE2'],
      ['"CHARGEBACK"', '"CHARGEBACK_REVERSED"'],
    ] as const) {
      expect(isFromAdyen(notification({}).replace(from, to), KEY)).toBe(false);
    }
  });

  it('must be on every item', () => {
    const both = JSON.parse(notification({}, { pspReference: 'OTHER' }));
    expect(isFromAdyen(JSON.stringify(both), KEY)).toBe(true);
    both.notificationItems[1].NotificationRequestItem.additionalData.hmacSignature = undefined;
    expect(isFromAdyen(JSON.stringify(both), KEY)).toBe(false);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"notificationItems":[]}',
    '{"notificationItems":[null]}',
    '{"notificationItems":{}}',
  ])('is not found in %p', (body) => {
    expect(isFromAdyen(body, KEY)).toBe(false);
  });
});

describe('an item', () => {
  const one = (change: object) => readAdyen(notification(change));

  it('of a chargeback has the network’s code and three references', () => {
    expect(one({})).toEqual([
      {
        ...{ type: 'chargeback', source_id: 'DISPUTE1', references: ['PAYMENT1', 'DISPUTE1', 'order:1\\2'] },
        ...{ reason_code: '10.4', network: 'visa', amount: 11.3, currency: 'EUR' },
        occurred_at: '2026-02-28T11:54:41.000Z',
      },
    ]);
  });

  it.each([
    ['NOTIFICATION_OF_FRAUD', 'early_fraud_warning', 'DISPUTE1'],
    ['NOTIFICATION_OF_CHARGEBACK', 'chargeback', 'DISPUTE1'],
    ['CHARGEBACK_REVERSED', 'dispute_won', 'DISPUTE1'],
    ['PREARBITRATION_WON', 'dispute_won', 'DISPUTE1'],
    // Another round: winning the first one does not withdraw it.
    ['SECOND_CHARGEBACK', 'chargeback', 'DISPUTE1/second'],
  ])('%s is %s of %s', (eventCode, type, source_id) => {
    expect(one({ eventCode })).toMatchObject([{ type, source_id }]);
  });

  it('of anything else is none of our business', () => {
    for (const eventCode of ['AUTHORISATION', 'REPORT_AVAILABLE', 'constructor'])
      expect(one({ eventCode })).toEqual([]);
    expect(one({ success: 'false' })).toEqual([]);
  });

  it('that cannot be read says so', () => {
    expect(() => one({ eventDate: 'yesterday' })).toThrow(UnreadableNotification);
    expect(() => one({ pspReference: '' })).toThrow(UnreadableNotification);
  });
});
