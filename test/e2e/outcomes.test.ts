import { randomUUID } from 'node:crypto';
import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import Stripe from 'stripe';
import { newId } from '../../shared/runtime/ids';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { DAY, pass, useTimeMachine } from '../support/machine/time-machine';
import { patient } from '../support/patience';

useTimeMachine();

const SECRET = 'whsec_0123456789abcdef';
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));

/** How far this file has moved the functions' clock. */
let passedMs = 0;
const nowMs = () => Date.now() + passedMs;
async function letPass(ms: number): Promise<void> {
  await pass(ms);
  passedMs += ms;
}

let key: string;
let account_id: string;
beforeEach(async () => {
  ({ key, account_id } = await newAccount());
});

const payment = (user_id: string, card: string, more: object = {}) => ({
  ...{ user_id, amount: 25, currency: 'EUR', custom_attributes: { card_fingerprint: card }, ...more },
});
const screen = async (body: object) => (await call('POST', '/v1/transactions/screen', { key, body })).json;
const report = (body: object, headers = {}) =>
  call('POST', '/v1/outcomes', {
    ...{ key, headers },
    body: { type: 'chargeback', source_id: 'dp_1', occurred_at: new Date(nowMs()).toISOString(), ...body },
  });
const profileOf = async (user: string) => (await call('GET', `/v1/users/${user}/risk-profile`, { key })).json;

async function inbound(provider: 'stripe' | 'adyen', secret: string): Promise<string> {
  const inbound_id = newId('in', Date.now());
  const created_at = new Date().toISOString();
  await admin().inbound.create({ inbound_id, account_id, provider, created_at }, secret);
  return `/v1/inbound/${provider}/${inbound_id}`;
}

/** An event as Stripe sends it. */
function fromStripe(path: string, type: string, object: object, secret = SECRET) {
  const timestamp = Math.floor(nowMs() / 1000);
  const body = JSON.stringify({ id: 'evt_1', type, created: timestamp, data: { object } });
  const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return call('POST', path, { body, headers: { 'Stripe-Signature': signature } });
}

const dispute = (payment_intent: string, more: object = {}) => ({
  ...{ id: 'dp_1', charge: 'ch_1', payment_intent, reason: 'fraudulent', status: 'needs_response' },
  ...{ amount: 2500, currency: 'eur', created: Math.floor(nowMs() / 1000), ...more },
});

it(
  'a dispute labels a payment whose result is long gone, once however often it is sent, until it is won',
  async () => {
    const path = await inbound('stripe', SECRET);
    const { transaction_id, screened_at } = await screen(payment('ann', 'card-1', { references: ['pi_1', 'order 1'] }));
    await letPass(100 * DAY);
    expect((await call('GET', `/v1/transactions/${transaction_id}`, { key })).status).toBe(404);

    const sent = await Promise.all(
      Array.from({ length: 20 }, () => fromStripe(path, 'charge.dispute.created', dispute('pi_1'))),
    );
    expect(sent.map(({ status, text }) => [status, text])).toEqual(sent.map(() => [200, '[accepted]']));
    expect((await profileOf('ann')).outcomes).toEqual({ confirmed_fraud: 1, confirmed_legitimate: 0 });
    expect((await screen(payment('bob', 'card-1'))).signals).toContain('attribute_risk');
    const labels = () => admin().labels.ofMonth(account_id, screened_at.slice(0, 7));
    expect(await labels()).toEqual([
      expect.objectContaining({ subject_id: transaction_id, label: 'fraud', source: 'chargeback' }),
    ]);
    // The same dispute by API is known, too.
    expect((await report({ reference: 'order 1' })).json).toMatchObject({
      ...{ subject_id: transaction_id, label: 'fraud', label_in_force: 'fraud', applied: true },
    });

    const won = await fromStripe(path, 'charge.dispute.closed', dispute('pi_1', { status: 'won' }));
    expect(won.status).toBe(200);
    expect((await profileOf('ann')).outcomes).toEqual({ confirmed_fraud: 0, confirmed_legitimate: 0 });
    expect((await screen(payment('cleo', 'card-1'))).signals).not.toContain('attribute_risk');
    expect(await labels()).toEqual([]);
  },
  patient(60_000),
);

it('a chargeback does not replace an approval; one that is not about fraud says nothing', async () => {
  const { decision_id, transaction_id } = await screen(payment('dora', 'card-2'));
  await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'allow' } });
  const charged = await report({ subject_id: decision_id, network: 'visa', reason_code: '10.4' });
  expect([charged.status, charged.json]).toEqual([
    200,
    {
      outcome_id: expect.stringMatching(/^out_/),
      ...{ subject_id: transaction_id, type: 'chargeback', label: 'fraud', label_in_force: 'legitimate' },
      ...{ applied: true, recorded_at: expect.any(String) },
    },
  ]);
  expect((await profileOf('dora')).outcomes).toEqual({ confirmed_fraud: 0, confirmed_legitimate: 1 });
  expect((await report({ subject_id: decision_id, reason_code: '13.1', source_id: 'dp_2' })).json).toMatchObject({
    label: 'none',
  });
  // The person who approved it may change their mind.
  await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'block' } });
  expect((await profileOf('dora')).outcomes).toEqual({ confirmed_fraud: 1, confirmed_legitimate: 0 });
});

it('an unknown reference is held until a screening names it', async () => {
  const held = await report({ reference: 'pi_later' });
  expect([held.status, held.json.applied, held.json.subject_id]).toEqual([202, false, null]);
  const { transaction_id } = await screen(payment('emma', 'card-3', { references: ['pi_later'] }));
  const { url } = localRun();
  const names = (await (await fetch(`${url}/_local/schedules`)).json()) as string[];
  const sweep = names.find((name) => name.includes('CasesDue')) ?? '';
  const swept = (await (await fetch(`${url}/_local/schedules/${sweep}`, { method: 'POST' })).json()) as object[];
  expect(swept).toEqual([expect.objectContaining({ ok: true })]);
  expect((await profileOf('emma')).outcomes.confirmed_fraud).toBe(1);
  const again = await report({ reference: 'pi_later' });
  expect([again.status, again.json]).toEqual([
    200,
    expect.objectContaining({ outcome_id: held.json.outcome_id, subject_id: transaction_id, label_in_force: 'fraud' }),
  ]);
});

it("a dispute reaches the payment that named its reference first, not another user's", async () => {
  const warnings = ["references[0] belongs to another user's payment and was not added."];
  const dear = await screen(payment('gina', 'card-5', { amount: 300, references: ['order 7'] }));
  const cheap = await screen(payment('hugo', 'card-6', { amount: 5, references: ['order 7'] }));
  const body = { references: ['order 7', 'order 8'] };
  const added = await call('POST', `/v1/transactions/${cheap.transaction_id}/references`, { key, body });
  expect([dear.warnings, cheap.warnings]).toEqual([undefined, warnings]);
  expect(added.json).toEqual({ transaction_id: cheap.transaction_id, references: ['order 8'], warnings });
  expect((await call('GET', `/v1/transactions/${cheap.transaction_id}`, { key })).json.warnings).toEqual(warnings);
  expect((await report({ reference: 'order 7' })).json.subject_id).toBe(dear.transaction_id);
  const frauds = await Promise.all(
    ['gina', 'hugo'].map(async (who) => (await profileOf(who)).outcomes.confirmed_fraud),
  );
  expect(frauds).toEqual([1, 0]);
});

it('references can be added later, and apply what waited for them', async () => {
  const { transaction_id } = await screen(payment('fred', 'card-4'));
  expect((await report({ reference: 'ch_9', type: 'early_fraud_warning' })).status).toBe(202);
  const headers = { 'Idempotency-Key': randomUUID() };
  const add = () =>
    call('POST', `/v1/transactions/${transaction_id}/references`, { key, headers, body: { references: ['ch_9'] } });
  const first = await add();
  expect([first.status, first.json]).toEqual([200, { transaction_id, references: ['ch_9'] }]);
  expect((await add()).text).toBe(first.text);
  expect((await profileOf('fred')).outcomes.confirmed_fraud).toBe(1);
  const other = await newAccount();
  const foreign = await call('POST', `/v1/transactions/${transaction_id}/references`, {
    ...{ key: other.key, body: { references: ['x'] } },
  });
  expect(foreign.status).toBe(404);
});

it('refuses outcomes that make no sense, all faults at once, and repeats recorded answers', async () => {
  const faults = async (body: object) =>
    ((await report(body)).json.error.details as { field: string }[]).map(({ field }) => field).sort();
  expect(await faults({})).toEqual(['subject_id']);
  expect(await faults({ subject_id: 'txn_1', reference: 'r' })).toEqual(['subject_id']);
  expect(await faults({ reference: '', type: 'loss', occurred_at: 'soon' })).toEqual([
    'occurred_at',
    'reference',
    'type',
  ]);
  const inMinutes = (minutes: number) => new Date(nowMs() + minutes * 60_000).toISOString();
  expect(await faults({ reference: 'r', occurred_at: inMinutes(10) })).toEqual(['occurred_at']);
  expect((await report({ reference: 'r', source_id: 'fast clock', occurred_at: inMinutes(1) })).status).toBe(202);
  expect((await report({ subject_id: `txn_${'0'.repeat(26)}` })).status).toBe(404);
  const { transaction_id } = await screen(payment('gina', 'card-5'));
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { subject_id: transaction_id, occurred_at: '2026-06-01T00:00:00Z' };
  const first = await report(body, headers);
  const second = await report(body, headers);
  expect([second.text, second.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
  expect((await report({ ...body, source_id: 'other' }, headers)).status).toBe(422);
});

it.each([
  ['do_not_honor', 'three cards', [2, 3, 3]],
  ['do_not_honor', 'one card with a token per attempt', [2, 3, 1]],
  ['insufficient_funds', 'three cards', [0, 0, 0]],
])(
  'declines twenty-five minutes apart stop the fourth card if banks refused three, by what Stripe says of each twice: %s, %s',
  async (reason, which, [last_1h, last_24h, cards_last_24h]) => {
    const isStopped = cards_last_24h === 3;
    const path = await inbound('stripe', SECRET);
    const buy = (number: number) =>
      screen({
        ...payment('mallory', `declined-${number}`, { references: [`pi_d${number}`] }),
        ...{ device_fingerprint: 'tester', ip_address: '91.0.0.7', payment_method: 'card' },
      });
    const made = [];
    for (const number of [1, 2, 3]) {
      const screened = await buy(number);
      made.push(screened);
      const charge = {
        ...{ id: `ch_d${number}`, payment_intent: `pi_d${number}`, amount: 2500, currency: 'eur' },
        ...{ created: Math.floor(nowMs() / 1000), failure_code: 'card_declined', outcome: { reason } },
      };
      const card = { fingerprint: which === 'three cards' ? `fp${number}` : 'fp' };
      const error = { code: 'card_declined', decline_code: reason, charge: charge.id, payment_method: { card } };
      const intent = { id: charge.payment_intent, amount: 2500, currency: 'eur', last_payment_error: error };
      const sent = await Promise.all([
        ...[1, 2].map(() => fromStripe(path, 'charge.failed', { ...charge, payment_method_details: { card } })),
        fromStripe(path, 'payment_intent.payment_failed', intent),
      ]);
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
      await letPass(25 * 60_000);
    }
    expect(made.map(({ decision }) => decision)).toEqual(['allow', 'allow', 'allow']);
    const shown = await call('GET', `/v1/decisions/${made[0].decision_id}`, { key });
    expect(shown.json.outcomes).toEqual([
      expect.objectContaining({ type: 'declined', label: 'none', decline_reason: reason }),
    ]);
    const { declines } = (await profileOf('mallory')).recent_activity;
    expect(declines).toEqual({ last_10m: 0, last_1h, last_24h, cards_last_24h });
    const fourth = await buy(4);
    expect([fourth.decision !== 'allow', fourth.signals.includes('declined_cards')]).toEqual([isStopped, isStopped]);
  },
  patient(60_000),
);

it('a decline for want of money counts nowhere; names of declines work in rules', async () => {
  const path = await inbound('adyen', HMAC_KEY);
  const decline = async (reference: string, reason: string) => {
    const item = {
      ...{
        pspReference: `P-${reference}`,
        merchantAccountCode: 'Shop',
        merchantReference: reference,
        success: 'false',
      },
      ...{ amount: { value: 2500, currency: 'EUR' }, eventCode: 'AUTHORISATION', reason },
      eventDate: new Date(nowMs()).toISOString(),
    };
    const hmacSignature = new HmacValidator().calculateHmac(item as never, HMAC_KEY);
    const NotificationRequestItem = { ...item, additionalData: { hmacSignature, cvcResult: '1 Matches' } };
    return call('POST', path, { body: { live: 'false', notificationItems: [{ NotificationRequestItem }] } });
  };
  const buy = (reference: string) =>
    screen(payment('ines', `card ${reference}`, { references: [reference], ip_address: '91.0.9.7' }));
  const expression =
    'features.user_declines_10m >= 1 && features.network_declines_1h >= 1 && features.ip_declined_cards_24h == 1';
  const put = await call('PUT', '/v1/rules/declined', { key, body: { expression, action: 'review', state: 'active' } });
  expect([put.status, put.json.error]).toEqual([201, undefined]);
  await buy('order-a');
  expect((await decline('order-a', 'Not enough balance')).status).toBe(200);
  expect((await profileOf('ines')).recent_activity.declines.last_24h).toBe(0);
  expect((await buy('order-b')).decision).toBe('allow');
  expect((await decline('order-b', 'CVC Declined')).status).toBe(200);
  const stopped = await buy('order-c');
  expect([stopped.decision, stopped.decided_by]).toEqual(['review', { kind: 'rule', name: 'declined' }]);
  expect((await profileOf('ines')).recent_activity.declines).toMatchObject({ last_10m: 1, cards_last_24h: 1 });
});

it('Adyen is answered [accepted]; without a valid signature nobody is let in; what is unreadable is set aside', async () => {
  const path = await inbound('adyen', HMAC_KEY);
  const { transaction_id } = await screen(payment('hugo', 'card-6', { references: ['order:7'] }));
  const item = {
    ...{ pspReference: 'DISPUTE1', originalReference: 'PAYMENT1', merchantAccountCode: 'Shop', success: 'true' },
    ...{ merchantReference: 'order:7', amount: { value: 2500, currency: 'EUR' }, eventCode: 'NOTIFICATION_OF_FRAUD' },
    eventDate: new Date(nowMs()).toISOString(),
  };
  const notify = (change: object, to = path) => {
    const changed = { ...item, ...change };
    const hmacSignature = new HmacValidator().calculateHmac(changed as never, HMAC_KEY);
    const signed = { NotificationRequestItem: { ...changed, additionalData: { hmacSignature } } };
    return call('POST', to, { body: { live: 'false', notificationItems: [signed] } });
  };
  const accepted = await notify({});
  expect([accepted.status, accepted.text]).toEqual([200, '[accepted]']);
  expect((await report({ subject_id: transaction_id, type: 'dispute_won', source_id: 'x' })).json).toMatchObject({
    label_in_force: 'fraud',
  });
  expect((await notify({ eventCode: 'AUTHORISATION' })).status).toBe(200);

  const stripe = await inbound('stripe', SECRET);
  const refused = await Promise.all([
    notify({}, path.replace('adyen', 'stripe')),
    notify({}, `/v1/inbound/adyen/in_${'0'.repeat(26)}`),
    fromStripe(stripe, 'charge.dispute.created', dispute('pi_1'), 'whsec_another_secret'),
    call('POST', stripe, { body: '{}' }),
    call('POST', path, { body: 'poison' }),
  ]);
  expect(refused.map(({ status, json }) => [status, json.error.code])).toEqual(
    refused.map(() => [401, 'unauthorized']),
  );

  expect((await fromStripe(stripe, 'charge.dispute.created', { id: 7 })).status).toBe(200);
  const [aside] = await admin().inbound.asides(stripe.split('/').at(-1) ?? '');
  expect(aside).toMatchObject({ reason: 'no dispute ID', body: expect.stringContaining('"id":7') });
});
