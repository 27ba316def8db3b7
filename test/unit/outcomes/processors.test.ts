import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import Stripe from 'stripe';
import { sampleNotification } from '../../../bin/notify/sample-notification';
import { unavailable } from '../../../shared/domain/errors';
import { isFromAdyen, readAdyen } from '../../../shared/domain/outcomes/processors/adyen';
import { UnreadableNotification } from '../../../shared/domain/outcomes/processors/notification';
import { isFromStripe, readStripe } from '../../../shared/domain/outcomes/processors/stripe';
import { isFraudReason } from '../../../shared/domain/outcomes/reason-codes';
import {
  type InboundAddress,
  receiveNotification,
  type SetAside,
} from '../../../shared/usecases/outcomes/receive-notification';
import { interpose } from '../../support/memory/interpose';
import { screened } from '../../support/webhooks/changes';
import { BORN_MS, DAY_MS, FRAUD, names, world } from './outcomes-world';

describe('adyen', () => {
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
      for (const eventCode of ['CAPTURE', 'REPORT_AVAILABLE', 'constructor']) expect(one({ eventCode })).toEqual([]);
      expect(one({ success: 'false' })).toEqual([]);
    });

    describe('of an authorisation', () => {
      // As in docs.adyen.com/development-resources/webhooks/webhook-types, with the additional settings on.
      const additionalData = {
        ...{ cvcResult: '1 Matches', avsResult: '5 No AVS data provided', expiryDate: '03/2030', cardSummary: '1111' },
        ...{ threeDOffered: 'true', threeDAuthenticated: 'true', threeDAuthenticatedResponse: 'Y' },
      };
      const payment = {
        eventCode: 'AUTHORISATION',
        originalReference: undefined,
        paymentMethod: 'visa',
        additionalData,
      };

      it('says that the bank authorized it, and what was checked', () => {
        expect(one({ ...payment, reason: '033899:1111:03/2030' })).toEqual([
          {
            ...{ type: 'authorized', source_id: 'DISPUTE1', references: ['DISPUTE1', 'order:1\\2'], network: 'visa' },
            ...{ amount: 11.3, currency: 'EUR', cvc_check: 'pass', address_check: 'unavailable' },
            ...{ three_d_secure: 'authenticated', occurred_at: '2026-02-28T11:54:41.000Z' },
          },
        ]);
      });

      it.each([
        ['CVC Declined', 'incorrect_cvc'],
        ['Refused', 'do_not_honor'],
        ['Not enough balance', 'insufficient_funds'],
        ['FRAUD-CANCELLED', 'suspected_fraud'],
        ['Issuer Unavailable', 'processor_error'],
        ['Something that Adyen will say next year', 'other'],
        ['', 'other'],
      ])('declined with %p is %s', (reason, decline_reason) => {
        expect(one({ ...payment, success: 'false', reason })).toMatchObject([{ type: 'declined', decline_reason }]);
      });

      it('tells a wrong CVC and address, and 3-D Secure that failed or was not used', () => {
        const wrong = { cvcResult: "2 Doesn't match", avsResult: "1 Address matches, postal code doesn't" };
        const declined = { ...payment, success: 'false', reason: 'CVC Declined' };
        expect(one({ ...declined, additionalData: { ...wrong, threeDOffered: 'false' } })).toMatchObject([
          { cvc_check: 'fail', address_check: 'fail', three_d_secure: 'none' },
        ]);
        expect(one({ ...declined, reason: '3D Not Authenticated', additionalData: {} })).toMatchObject([
          { decline_reason: 'other', three_d_secure: 'failed', cvc_check: undefined },
        ]);
      });
    });

    it('that cannot be read says so', () => {
      expect(() => one({ eventDate: 'yesterday' })).toThrow(UnreadableNotification);
      expect(() => one({ pspReference: '' })).toThrow(UnreadableNotification);
    });
  });
});

describe('stripe', () => {
  const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));
  const SECRET = 'whsec_0123456789abcdef';
  const NOW_MS = Date.UTC(2026, 2, 1);
  const NOW_S = NOW_MS / 1000;

  const event = (type: string, object: object) =>
    JSON.stringify({ id: 'evt_1', type, created: NOW_S, data: { object } });
  const DISPUTE = {
    ...{ id: 'dp_1', object: 'dispute', amount: 1250, currency: 'eur', reason: 'fraudulent', status: 'needs_response' },
    ...{ charge: 'ch_1', payment_intent: 'pi_1', created: NOW_S - 60 },
  };
  const body = event('charge.dispute.created', DISPUTE);
  const headerOf = (payload: string, more: object = {}) =>
    webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: NOW_S, ...more });

  describe('a signature made by Stripe’s library', () => {
    it('is valid for its body, secret and time', () => {
      expect(isFromStripe(body, headerOf(body), SECRET, NOW_MS)).toBe(true);
      const unicode = event('charge.dispute.created', { name: 'Zoë 🍪' });
      expect(isFromStripe(unicode, headerOf(unicode), SECRET, NOW_MS)).toBe(true);
    });

    it('is invalid for another body or secret, and after five minutes', () => {
      expect(isFromStripe(`${body} `, headerOf(body), SECRET, NOW_MS)).toBe(false);
      expect(isFromStripe(body, headerOf(body, { secret: 'whsec_other' }), SECRET, NOW_MS)).toBe(false);
      expect(isFromStripe(body, headerOf(body), SECRET, NOW_MS + 300_000)).toBe(true);
      expect(isFromStripe(body, headerOf(body), SECRET, NOW_MS + 300_001)).toBe(false);
      expect(isFromStripe(body, headerOf(body), SECRET, NOW_MS - 300_001)).toBe(false);
    });

    it('may be one of several, while a secret is being replaced', () => {
      const [time, own] = headerOf(body).split(',');
      const [, other] = headerOf(body, { secret: 'whsec_other' }).split(',');
      expect(isFromStripe(body, `${time},${other},${own}`, SECRET, NOW_MS)).toBe(true);
      expect(isFromStripe(body, `${time},${own?.replace('v1', 'v0')}`, SECRET, NOW_MS)).toBe(false);
    });

    it.each([
      undefined,
      '',
      't=,v1=',
      'v1=abc',
      `t=${NOW_S}`,
      `t=${NOW_S},v1=zz`,
      `t=${NOW_S},v1=`,
      't=1e9,v1=00',
      '=,=',
    ])('is not %p', (header) => {
      expect(isFromStripe(body, header, SECRET, NOW_MS)).toBe(false);
    });
  });

  describe('an event', () => {
    const one = (type: string, object: object) => readStripe(event(type, object));

    it('of a dispute is a chargeback, by the network’s own code if there is one', () => {
      expect(one('charge.dispute.created', DISPUTE)).toEqual([
        {
          ...{ type: 'chargeback', source_id: 'dp_1', references: ['pi_1', 'ch_1'], reason_code: 'fraudulent' },
          ...{ network: 'stripe', amount: 12.5, currency: 'EUR', occurred_at: '2026-02-28T23:59:00.000Z' },
        },
      ]);
      const card = { payment_method_details: { card: { brand: 'visa', network_reason_code: '13.1' } } };
      expect(one('charge.dispute.created', { ...DISPUTE, ...card })).toMatchObject([
        { network: 'visa', reason_code: '13.1' },
      ]);
      expect(one('charge.dispute.created', { ...DISPUTE, amount: 500, currency: 'jpy' })).toMatchObject([
        { amount: 500 },
      ]);
      const expanded = { ...DISPUTE, payment_intent: null, charge: { id: 'ch_9' } };
      expect(one('charge.dispute.created', expanded)).toMatchObject([{ references: ['ch_9'] }]);
    });

    it('of an inquiry is a warning, and only if it is about fraud', () => {
      const inquiry = { ...DISPUTE, status: 'warning_needs_response' };
      expect(one('charge.dispute.created', inquiry)).toMatchObject([
        { type: 'early_fraud_warning', source_id: 'dp_1' },
      ]);
      expect(one('charge.dispute.created', { ...inquiry, reason: 'general' })).toEqual([]);
    });

    it('of a dispute that was won withdraws it; a lost one changes nothing', () => {
      const closed = (status: string) => one('charge.dispute.closed', { ...DISPUTE, status });
      expect(closed('won')).toMatchObject([{ type: 'dispute_won', source_id: 'dp_1', references: ['pi_1', 'ch_1'] }]);
      expect(closed('warning_closed')).toMatchObject([{ type: 'dispute_won' }]);
      expect(closed('lost')).toEqual([]);
    });

    describe('of a charge', () => {
      // As in docs.stripe.com/api/charges/object.
      const CHARGE = {
        ...{ id: 'ch_1', object: 'charge', amount: 1099, currency: 'usd', created: NOW_S - 60, payment_intent: 'pi_1' },
        ...{ failure_code: null, outcome: { network_status: 'approved_by_network', reason: null, type: 'authorized' } },
        payment_method_details: {
          card: {
            ...{ brand: 'visa', three_d_secure: null },
            checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
          },
          type: 'card',
        },
      };
      const declinedBy = (reason: string | null, failure_code = 'card_declined') => ({
        ...{ ...CHARGE, failure_code },
        outcome: { network_status: 'declined_by_network', reason, type: 'issuer_declined' },
      });

      it('that succeeded is authorized, with what was checked', () => {
        expect(one('charge.succeeded', CHARGE)).toEqual([
          {
            ...{ type: 'authorized', source_id: 'ch_1', references: ['pi_1', 'ch_1'], network: 'visa' },
            ...{ amount: 10.99, currency: 'USD', cvc_check: 'pass', address_check: 'pass' },
            occurred_at: '2026-02-28T23:59:00.000Z',
          },
        ]);
      });

      it.each([
        ['do_not_honor', 'card_declined', 'do_not_honor'],
        ['generic_decline', 'card_declined', 'do_not_honor'],
        ['stolen_card', 'card_declined', 'lost_or_stolen'],
        ['insufficient_funds', 'card_declined', 'insufficient_funds'],
        [null, 'incorrect_cvc', 'incorrect_cvc'],
        [null, 'expired_card', 'expired_card'],
        [null, 'processing_error', 'processor_error'],
        ['a_code_of_next_year', 'card_declined', 'other'],
      ])('that failed with %p (%s) is declined: %s', (reason, failure, decline_reason) => {
        expect(one('charge.failed', declinedBy(reason, failure))).toMatchObject([
          { type: 'declined', source_id: 'ch_1', decline_reason, reason_code: reason ?? failure },
        ]);
      });

      it('and its payment intent are one decline', () => {
        const intent = {
          ...{ id: 'pi_1', amount: 1099, currency: 'usd', latest_charge: 'ch_1' },
          last_payment_error: {
            ...{ code: 'card_declined', decline_code: 'incorrect_cvc', charge: 'ch_1' },
            payment_method: { card: { brand: 'visa', checks: { cvc_check: 'fail' } } },
          },
        };
        const [charge] = one('charge.failed', declinedBy('incorrect_cvc'));
        expect(one('payment_intent.payment_failed', intent)).toMatchObject([
          { type: 'declined', source_id: charge?.source_id, references: charge?.references, cvc_check: 'fail' },
        ]);
      });

      it('that was never made has no source but the event', () => {
        const error = { code: 'payment_intent_authentication_failure' };
        const intent = { id: 'pi_1', amount: 1099, currency: 'usd', last_payment_error: error };
        expect(one('payment_intent.payment_failed', intent)).toMatchObject([
          { source_id: 'pi_1/evt_1', references: ['pi_1'], decline_reason: 'other', three_d_secure: 'failed' },
        ]);
      });
    });

    it('of an early fraud warning is one', () => {
      const warning = { id: 'issfr_1', charge: 'ch_1', payment_intent: 'pi_1', fraud_type: 'made_with_stolen_card' };
      expect(one('radar.early_fraud_warning.created', { ...warning, created: NOW_S })).toMatchObject([
        { type: 'early_fraud_warning', source_id: 'issfr_1', references: ['pi_1', 'ch_1'] },
      ]);
    });

    it('of anything else is none of our business', () => {
      for (const type of ['charge.captured', 'charge.dispute.updated', 'constructor'])
        expect(one(type, {})).toEqual([]);
    });

    it.each([
      ['not JSON', '{'],
      ['no type', '{}'],
      ['no dispute', event('charge.dispute.created', {})],
      ['no payment', event('charge.dispute.created', { ...DISPUTE, charge: null, payment_intent: 7 })],
      ['no time', event('radar.early_fraud_warning.created', { id: 'issfr_1', charge: 'ch_1' })],
    ])('that cannot be read (%s) says so', (_, text) => {
      expect(() => readStripe(text)).toThrow(UnreadableNotification);
    });
  });
});

describe('sample notification', () => {
  const nowMs = Date.UTC(2026, 2, 1);
  const KINDS = [
    ['dispute', 'chargeback'],
    ['won', 'dispute_won'],
    ['warning', 'early_fraud_warning'],
  ] as const;

  it.each(KINDS)('a sample %s of Stripe is signed and reads as %s', (kind, type) => {
    const secret = 'whsec_0123456789abcdef';
    const { body, headers } = sampleNotification({ provider: 'stripe', kind, reference: 'pi_1', secret, nowMs });
    expect(isFromStripe(body, headers['Stripe-Signature'], secret, nowMs)).toBe(true);
    expect(readStripe(body)).toMatchObject([{ type, references: ['pi_1'] }]);
  });

  it.each(KINDS)('a sample %s of Adyen is signed and reads as %s', (kind, type) => {
    const secret = 'ab'.repeat(32);
    const { body } = sampleNotification({ provider: 'adyen', kind, reference: 'PAYMENT1', secret, nowMs });
    expect(isFromAdyen(body, secret)).toBe(true);
    expect(readAdyen(body)).toMatchObject([{ type, references: expect.arrayContaining(['PAYMENT1']) }]);
  });

  it('knows no other events', () => {
    const unknown = { provider: 'stripe', kind: 'constructor', reference: 'r', secret: 's', nowMs } as const;
    expect(() => sampleNotification(unknown)).toThrow('Unknown event');
  });

  it('gives two events of one second ids of their own, since a repeated id is a repeated delivery', () => {
    const idOf = (kind: string, reference: string): string => {
      const { body } = sampleNotification({ provider: 'stripe', kind, reference, secret: 'whsec', nowMs: 1_000 });
      return JSON.parse(body).id;
    };
    const ids = [idOf('dispute', 'pi_1'), idOf('dispute', 'pi_2'), idOf('won', 'pi_1'), idOf('warning', 'pi_1')];
    expect(new Set(ids).size).toBe(4);
    expect(idOf('dispute', 'pi_1')).toBe(ids[0]);
  });
});

describe('receive notification', () => {
  const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));
  const secret = 'whsec_0123456789abcdef';
  const ID = `in_${'0'.repeat(26)}`;
  const ADDRESS: InboundAddress = { inbound_id: ID, account_id: 'acc_1', provider: 'stripe', secret };
  const NOW_S = BORN_MS / 1000 + 60;
  const DISPUTE = {
    ...{ id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', reason: 'fraudulent', created: NOW_S },
    ...{ amount: 100, currency: 'eur', status: 'needs_response' },
  };

  async function receiving() {
    const { deps, ...rest } = await world();
    const asides: SetAside[] = [];
    const inbound = {
      find: async (id: string) => (id === ID ? ADDRESS : undefined),
      setAside: async (_: InboundAddress, aside: SetAside) => void asides.push(aside),
    };
    const send = (object: object, change: object = {}, type = 'charge.dispute.created') => {
      const body = JSON.stringify({ type, created: NOW_S, data: { object } });
      const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: NOW_S });
      return receiveNotification(
        { ...deps, inbound },
        { provider: 'stripe', inbound_id: ID, body, signature, ...change },
      );
    };
    return { ...rest, asides, send };
  }

  it('turns a dispute into one outcome, however often it is sent', async () => {
    const { send, counted, labels } = await receiving();
    const received = await Promise.all(Array.from({ length: 20 }, () => send(DISPUTE)));
    expect(received).toEqual(received.map(() => ({ account_id: 'acc_1', applied: 1, held: 0 })));
    expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by chargeback']]);
    await send({ ...DISPUTE, status: 'won' }, {}, 'charge.dispute.closed');
    expect(await labels()).toEqual([]);
  });

  it('holds what nobody has named yet, and ignores everything else', async () => {
    const { send } = await receiving();
    expect(await send({ ...DISPUTE, id: 'dp_2', charge: 'ch_2', payment_intent: 'pi_2' })).toMatchObject({ held: 1 });
    expect(await send({}, {}, 'charge.captured')).toEqual({ account_id: 'acc_1', applied: 0, held: 0 });
  });

  it.each([
    ['another signature', { signature: 't=1,v1=00' }],
    ['no signature', { signature: undefined }],
    ['another body', { body: '{}' }],
    ['another provider', { provider: 'adyen' }],
    ['an unknown address', { inbound_id: `in_${'1'.repeat(26)}` }],
    ['what is not an address', { inbound_id: 'constructor' }],
  ])('refuses %s, and changes nothing', async (_, change) => {
    const { send, counted, asides } = await receiving();
    await expect(send(DISPUTE, change)).rejects.toMatchObject({ code: 'unauthorized' });
    expect([await counted(), asides]).toEqual([undefined, []]);
  });

  it('sets aside what it cannot read', async () => {
    const { send, asides } = await receiving();
    expect(await send({ id: 7 })).toMatchObject({ unreadable: 'no dispute ID' });
    expect(asides).toEqual([expect.objectContaining({ reason: 'no dispute ID', at_ms: BORN_MS + 60_000 })]);
    expect(JSON.parse(asides[0]?.body ?? '')).toMatchObject({ data: { object: { id: 7 } } });
  });

  const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

  /** A notification of Adyen with an item per dispute and payment. */
  function adyenBody(...disputes: ReadonlyArray<readonly [dispute: string, payment: string, eventCode?: string]>) {
    const notificationItems = disputes.map(([pspReference, originalReference, eventCode = 'NOTIFICATION_OF_FRAUD']) => {
      const item = {
        ...{
          pspReference,
          originalReference,
          merchantAccountCode: 'M',
          merchantReference: originalReference,
          eventCode,
        },
        ...{ amount: { currency: 'EUR', value: 1130 }, eventDate: '2026-03-01T00:00:30Z', success: 'true' },
      };
      const hmacSignature = new HmacValidator().calculateHmac(item as never, HMAC_KEY);
      return { NotificationRequestItem: { ...item, additionalData: { hmacSignature } } };
    });
    return JSON.stringify({ live: 'false', notificationItems });
  }

  async function adyen() {
    const { deps, ...rest } = await world();
    const second = screened(BORN_MS + 1, { references: names('pi_2'), kept_until_ms: BORN_MS + 180 * DAY_MS });
    await rest.table.screenings.insert('acc_1', second);
    const address: InboundAddress = { ...ADDRESS, provider: 'adyen', secret: HMAC_KEY };
    const asides: SetAside[] = [];
    const inbound = {
      find: async () => address,
      setAside: async (_: InboundAddress, aside: SetAside) => void asides.push(aside),
    };
    const send = (body: string, outside = deps.outside) =>
      receiveNotification(
        { ...deps, outside, inbound },
        { provider: 'adyen', inbound_id: ID, body, signature: undefined },
      );
    return { ...rest, deps, asides, send };
  }

  it('records the items of one body at the same time, unless they are about one payment', async () => {
    const { send, deps, labels } = await adyen();
    let [running, most] = [0, 0];
    const counting = interpose(deps.outside, async (_, apply) => {
      most = Math.max(most, ++running);
      return apply().finally(() => running--);
    });
    // One reference of each is looked up by itself; all names of one item at once.
    const one = await send(adyenBody(['D1', 'pi_1'], ['D1', 'pi_1', 'CHARGEBACK']), counting);
    expect([one.applied, most]).toEqual([2, 2]);
    const two = await send(adyenBody(['D2', 'pi_1'], ['D3', 'pi_2'], ['D4', 'unknown']), counting);
    expect([two, most]).toEqual([{ account_id: 'acc_1', applied: 2, held: 1 }, 6]);
    expect(await labels()).toEqual(Array(2).fill('fraud by early_fraud_warning'));
  });

  it('records the other items if one has to be sent again, and each only once when it is', async () => {
    const { send, deps, labels, asides } = await adyen();
    const body = adyenBody(['D1', 'pi_1'], ['D2', 'pi_2']);
    const [failed] = names('pi_1');
    const failing = {
      ...deps.outside,
      reference: async (accountId: string, name: string, nowMs: number) => {
        if (name === failed) throw unavailable(new Error('busy'));
        return deps.outside.reference(accountId, name, nowMs);
      },
    };
    await expect(send(body, failing)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await labels()).toHaveLength(1);
    expect(await send(body)).toMatchObject({ applied: 2 });
    expect([await labels(), asides]).toEqual([Array(2).fill('fraud by early_fraud_warning'), []]);
  });
});

describe('reason codes', () => {
  it.each([
    ['10.4', 'visa'],
    ['4837', 'mastercard'],
    ['4837', 'mc'],
    ['f29', 'American Express'],
    ['UA02', 'diners'],
    ['fraudulent', 'stripe'],
    ['fraudulent', 'visa'],
    ['10.4', undefined],
    ['UA01', 'a network nobody knows'],
    [undefined, 'visa'],
  ])('%s of %s is about fraud', (code, network) => {
    expect(isFraudReason(code, network)).toBe(true);
  });

  it.each([
    ['13.1', 'visa'],
    ['4853', 'mastercard'],
    ['C08', 'amex'],
    ['RG', 'discover'],
    ['product_not_received', 'stripe'],
    ['duplicate', 'stripe'],
    ['13.1', undefined],
    // A code means something only within its network.
    ['4837', 'visa'],
    ['constructor', 'constructor'],
  ])('%s of %s is not', (code, network) => {
    expect(isFraudReason(code, network)).toBe(false);
  });
});
