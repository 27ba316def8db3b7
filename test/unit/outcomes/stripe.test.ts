import Stripe from 'stripe';
import { UnreadableNotification } from '../../../shared/domain/outcomes/processors/notification';
import { isFromStripe, readStripe } from '../../../shared/domain/outcomes/processors/stripe';

const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));
const SECRET = 'whsec_0123456789abcdef';
const NOW_MS = Date.UTC(2026, 2, 1);
const NOW_S = NOW_MS / 1000;

const event = (type: string, object: object) => JSON.stringify({ id: 'evt_1', type, created: NOW_S, data: { object } });
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
    expect(one('charge.dispute.created', inquiry)).toMatchObject([{ type: 'early_fraud_warning', source_id: 'dp_1' }]);
    expect(one('charge.dispute.created', { ...inquiry, reason: 'general' })).toEqual([]);
  });

  it('of a dispute that was won withdraws it; a lost one changes nothing', () => {
    const closed = (status: string) => one('charge.dispute.closed', { ...DISPUTE, status });
    expect(closed('won')).toMatchObject([{ type: 'dispute_won', source_id: 'dp_1', references: ['pi_1', 'ch_1'] }]);
    expect(closed('warning_closed')).toMatchObject([{ type: 'dispute_won' }]);
    expect(closed('lost')).toEqual([]);
  });

  it('of an early fraud warning is one', () => {
    const warning = { id: 'issfr_1', charge: 'ch_1', payment_intent: 'pi_1', fraud_type: 'made_with_stolen_card' };
    expect(one('radar.early_fraud_warning.created', { ...warning, created: NOW_S })).toMatchObject([
      { type: 'early_fraud_warning', source_id: 'issfr_1', references: ['pi_1', 'ch_1'] },
    ]);
  });

  it('of anything else is none of our business', () => {
    for (const type of ['charge.succeeded', 'charge.dispute.updated', 'constructor']) expect(one(type, {})).toEqual([]);
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
