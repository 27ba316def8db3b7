import { randomUUID } from 'node:crypto';
import { call, newAccount, type Reply } from '../support/api';
import { expectOneEffect, sendRepeats } from '../support/traffic/repeats';

const payment = {
  user_id: 'user-1',
  amount: 129.9,
  currency: 'eur',
  ip_address: '91.0.0.1',
  device_fingerprint: 'device-1',
  payment_method: 'card',
  billing_address: { line1: 'Hauptstr. 1', city: 'Berlin', postal_code: '10115', country: 'de' },
  custom_attributes: { card_fingerprint: 'card-1', order_id: '17' },
};

const ULID = '[0-9A-HJKMNP-TV-Z]{26}';
let key: string;
beforeEach(async () => {
  ({ key } = await newAccount());
});
const screen = (body: unknown = payment, headers: Record<string, string> = {}): Promise<Reply> =>
  call('POST', '/v1/transactions/screen', { key, body, headers });
const fieldsOf = ({ json }: Reply): string[] => json.error.details.map(({ field }: { field: string }) => field).sort();

describe('POST /v1/transactions/screen', () => {
  it('answers with everything that was decided, and GET answers the same', async () => {
    const reply = await screen();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      transaction_id: expect.stringMatching(new RegExp(`^txn_${ULID}$`)),
      decision_id: expect.stringMatching(new RegExp(`^dec_${ULID}$`)),
      user_id: 'user-1',
      amount: 129.9,
      currency: 'EUR',
      risk_score: expect.any(Number),
      risk_level: 'low',
      decision: 'allow',
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
      signals: expect.any(Array),
      explanation: { base: expect.any(Number), contributions: expect.any(Array) },
      model_version: expect.any(String),
      case_id: null,
      screened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const got = await call('GET', `/v1/transactions/${reply.json.transaction_id}`, { key });
    expect(got.json).toEqual(reply.json);
  });

  it('needs no more than a user, an amount and a currency', async () => {
    expect((await screen({ user_id: 'u', amount: 0.01, currency: 'JPY' })).status).toBe(200);
  });

  it('screens an amount in a currency that was withdrawn, with a warning, and GET says so too', async () => {
    const { status, json } = await screen({ ...payment, currency: 'zwd' });
    expect([status, json.currency]).toEqual([200, 'ZWD']);
    expect(json.warnings).toEqual([
      'ZWD has no exchange rate: the amount counts as the most that it may be in US dollars.',
    ]);
    const got = await call('GET', `/v1/transactions/${json.transaction_id}`, { key });
    expect(got.json).toEqual(json);
  });

  it.each([
    ['a missing user', { ...payment, user_id: undefined }, ['user_id']],
    ['an empty user', { ...payment, user_id: '' }, ['user_id']],
    ['a long user', { ...payment, user_id: 'u'.repeat(129) }, ['user_id']],
    ['amount 0', { ...payment, amount: 0 }, ['amount']],
    ['a negative amount', { ...payment, amount: -1 }, ['amount']],
    ['an amount as text', { ...payment, amount: '1' }, ['amount']],
    ['an amount over 1e12', { ...payment, amount: 1e12 + 1 }, ['amount']],
    ['no such currency', { ...payment, currency: 'XXZ' }, ['currency']],
    ['a currency of two letters', { ...payment, currency: 'EU' }, ['currency']],
    ['no such payment method', { ...payment, payment_method: 'cash' }, ['payment_method']],
    ['no IP address', { ...payment, ip_address: '300.1.1.1' }, ['ip_address']],
    ['a short IP address', { ...payment, ip_address: '127.1' }, ['ip_address']],
    ['no such country', { ...payment, billing_address: { country: 'XX' } }, ['billing_address.country']],
    ['an address as text', { ...payment, billing_address: 'Berlin' }, ['billing_address']],
    ['a number among attributes', { ...payment, custom_attributes: { a: 1 } }, ['custom_attributes.a']],
    ['nested attributes', { ...payment, custom_attributes: { a: {} } }, ['custom_attributes.a']],
    ['a long attribute', { ...payment, custom_attributes: { a: 'x'.repeat(513) } }, ['custom_attributes.a']],
    ['a long device', { ...payment, device_fingerprint: 'd'.repeat(257) }, ['device_fingerprint']],
    ['three faults at once', { ...payment, amount: -1, currency: 'x', user_id: 1 }, ['amount', 'currency', 'user_id']],
  ])('refuses %s', async (_name, body, fields) => {
    const reply = await screen(body);
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply)).toEqual(fields);
  });

  it.each([
    ['1e12', { ...payment, amount: 1e12 }],
    ['a tiny amount', { ...payment, amount: 1e-200 }],
    ['IPv6', { ...payment, ip_address: '2a02:8109::1' }],
    ['a private address', { ...payment, ip_address: '10.0.0.1' }],
    [
      '50 attributes',
      { ...payment, custom_attributes: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v'])) },
    ],
    ['a user with odd characters', { ...payment, user_id: 'Zoë/#?%& 🦊' }],
    ['an empty attribute', { ...payment, custom_attributes: { email: '' } }],
  ])('accepts %s', async (_name, body) => {
    const reply = await screen(body);
    expect(reply.status).toBe(200);
    expect((await call('GET', `/v1/transactions/${reply.json.transaction_id}`, { key })).json).toEqual(reply.json);
  });

  it('refuses 51 attributes', async () => {
    const custom_attributes = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']));
    expect(fieldsOf(await screen({ ...payment, custom_attributes }))).toEqual(['custom_attributes']);
  });

  it('names a misspelt member', async () => {
    const { json } = await screen({ ...payment, ipAddress: '1.1.1.1', billing_address: { zip: '1' } });
    expect(json.warnings).toEqual([
      'Unknown field billing_address.zip was ignored.',
      'Unknown field ipAddress was ignored; did you mean ip_address?',
    ]);
  });
});

describe('a repeated screening', () => {
  it('is the first one, byte for byte, and moves no counter', async () => {
    const once = { 'Idempotency-Key': randomUUID() };
    const first = await screen(payment, once);
    const again = await screen({ ...payment, custom_attributes: { order_id: '17', card_fingerprint: 'card-1' } }, once);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const profile = await call('GET', '/v1/users/user-1/risk-profile', { key });
    expect(profile.json.transactions).toMatchObject({ count: 1, amount_by_currency: { EUR: 129.9 }, last_24h: 1 });
  });

  it('has one effect on every counter when sent 50 times at once, by clients that repeat a 503', async () => {
    expectOneEffect(await sendRepeats(50));
  });

  it('refuses another body', async () => {
    const once = { 'Idempotency-Key': randomUUID() };
    await screen(payment, once);
    const other = await screen({ ...payment, amount: 1 }, once);
    expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_mismatch']);
  });

  it('is another thing on another route', async () => {
    const once = { 'Idempotency-Key': randomUUID() };
    await screen(payment, once);
    const body = { event_type: 'login', user_id: 'user-1' };
    expect((await call('POST', '/v1/events', { key, body, headers: once })).json.event_id).toBeDefined();
  });
});

describe('POST /v1/events', () => {
  it.each([
    'login',
    'signup',
    'password_reset',
    'password_change',
    'email_change',
    'phone_change',
    'payout_change',
    'profile_update',
  ])('screens a %s', async (event_type) => {
    const reply = await call('POST', '/v1/events', { key, body: { event_type, user_id: 'user-1' } });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ event_type, user_id: 'user-1', decision: 'allow', case_id: null });
    expect(Object.keys(reply.json)).toEqual([
      'event_id',
      'decision_id',
      'event_type',
      'user_id',
      'risk_score',
      'risk_level',
      'decision',
      'decided_by',
      'rules',
      'lists',
      'signals',
      'explanation',
      'model_version',
      'case_id',
      'screened_at',
    ]);
  });

  it('refuses what is no event', async () => {
    const reply = await call('POST', '/v1/events', { key, body: { event_type: 'purchase', outcome: 'maybe' } });
    expect(fieldsOf(reply)).toEqual(['event_type', 'outcome', 'user_id']);
  });

  it('is not found among transactions', async () => {
    const { json } = await call('POST', '/v1/events', { key, body: { event_type: 'login', user_id: 'u' } });
    for (const id of [json.event_id, json.event_id.replace('evt', 'txn'), json.decision_id]) {
      expect((await call('GET', `/v1/transactions/${id}`, { key })).status).toBe(404);
    }
  });
});

describe('GET /v1/users/{user_id}/risk-profile', () => {
  it('sums up what was screened', async () => {
    await call('POST', '/v1/events', {
      key,
      body: { event_type: 'login', user_id: 'user-1', ip_address: '91.0.0.1' },
    });
    await screen();
    await screen({ ...payment, amount: 10, currency: 'USD', device_fingerprint: 'device-2', ip_address: '91.0.0.2' });
    const { status, json } = await call('GET', '/v1/users/user-1/risk-profile', { key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      user_id: 'user-1',
      risk_level: 'low',
      transactions: {
        count: 2,
        allowed: 2,
        reviewed: 0,
        blocked: 0,
        amount_by_currency: { EUR: 129.9, USD: 10 },
        last_24h: 2,
        last_7d: 2,
      },
      events: { count: 1, by_type: { login: 1 } },
      devices: { count: 2 },
      outcomes: { confirmed_fraud: 0, confirmed_legitimate: 0 },
    });
    expect(json.ip_addresses.countries).toEqual(['DE']);
  });

  it('counts the addresses of most users exactly: two of them share a bucket once in 32', async () => {
    const counts = await Promise.all(
      Array.from({ length: 7 }, async (_, n) => {
        const user_id = `traveller-${n}`;
        for (const ip_address of [`91.0.${n}.1`, `91.0.${n}.2`])
          await call('POST', '/v1/events', { key, body: { event_type: 'login', user_id, ip_address } });
        return (await call('GET', `/v1/users/${user_id}/risk-profile`, { key })).json.ip_addresses.count;
      }),
    );
    // By the stage's own key, so the test cannot choose addresses that do not: four of seven would, once in 30,000 runs.
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBe(2);
  });

  it('tells what the user was up to lately', async () => {
    const act = (body: object) => call('POST', '/v1/events', { key, body: { user_id: 'user-1', ...body } });
    await act({ event_type: 'login', outcome: 'failed', ip_address: '52.94.76.1' });
    const reset = (await act({ event_type: 'password_reset', ip_address: '91.0.0.1' })).json;
    await screen({ ...payment, amount: 100, currency: 'USD' });
    const { recent_activity } = (await call('GET', '/v1/users/user-1/risk-profile', { key })).json;
    const once = { count: 1, amount_usd: 100 };
    expect(recent_activity).toMatchObject({
      transactions: { last_10m: once, last_1h: once, last_24h: once, last_7d: once, last_30d: once },
      failed_logins: { last_10m: 1, last_1h: 1, last_24h: 1 },
      last_changes: [{ event_type: 'password_reset', at: expect.any(String) }],
      last_place: { country: 'DE' },
    });
    expect(Math.abs(Date.parse(recent_activity.last_changes[0].at) - Date.parse(reset.screened_at))).toBeLessThan(1000);
    expect(recent_activity.by_time_of_day).toHaveLength(8);
    // A failed login and a password reset say nothing about the user's habits.
    expect(recent_activity.by_time_of_day.reduce((sum: number, each: number) => sum + each, 0)).toBe(1);
  });

  it('is 404 for a user never seen, here or in another account', async () => {
    await screen();
    expect((await call('GET', '/v1/users/nobody/risk-profile', { key })).status).toBe(404);
    const other = await newAccount();
    expect((await call('GET', '/v1/users/user-1/risk-profile', { key: other.key })).status).toBe(404);
  });

  it('takes any user id in its path', async () => {
    const user_id = 'a/b?c=d#e%25 ü🦊';
    await screen({ ...payment, user_id });
    const { json } = await call('GET', `/v1/users/${encodeURIComponent(user_id)}/risk-profile`, { key });
    expect(json.user_id).toBe(user_id);
  });
});

describe('decisions', () => {
  it('are found by their own id and by the subject’s, in their own account only', async () => {
    const { transaction_id, decision_id, ...rest } = (await screen()).json;
    const byDecision = await call('GET', `/v1/decisions/${decision_id}`, { key });
    expect(byDecision.json).toEqual({
      decision_id,
      customer_explanation: 'This payment was approved by an automated check.',
      subject_type: 'transaction',
      subject_id: transaction_id,
      user_id: 'user-1',
      amount: rest.amount,
      currency: rest.currency,
      decision: 'allow',
      automated_decision: 'allow',
      risk_score: rest.risk_score,
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
      shadow_rules: [],
      signals: rest.signals,
      explanation: rest.explanation,
      model_version: rest.model_version,
      intelligence_version: expect.stringMatching(/^[0-9a-f]{8}$/),
      case_id: null,
      decided_at: rest.screened_at,
      review: null,
    });
    expect((await call('GET', `/v1/decisions/${transaction_id}`, { key })).json).toEqual(byDecision.json);
    expect((await call('GET', `/v1/decisions/${transaction_id.replace('txn', 'evt')}`, { key })).status).toBe(404);
    const other = await newAccount();
    const foreign = await call('GET', `/v1/decisions/${decision_id}`, { key: other.key });
    expect([foreign.status, foreign.json.error.code]).toEqual([404, 'not_found']);
  });

  it('can be overridden, and overridden again; the label follows', async () => {
    const { transaction_id, decision_id } = (await screen()).json;
    const review = (body: object, id = decision_id) => call('POST', `/v1/decisions/${id}/review`, { key, body });
    const blocked = await review({ decision: 'block', analyst_id: 'ana', notes: 'stolen card' });
    expect(blocked.status).toBe(200);
    expect(blocked.json).toMatchObject({
      decision: 'block',
      automated_decision: 'allow',
      review: { decision: 'block', analyst_id: 'ana', notes: 'stolen card', reviewed_at: expect.any(String) },
    });
    const outcomes = async () => (await call('GET', '/v1/users/user-1/risk-profile', { key })).json.outcomes;
    expect(await outcomes()).toEqual({ confirmed_fraud: 1, confirmed_legitimate: 0 });
    expect((await screen({ ...payment, user_id: 'user-2' })).json.signals).toContain('known_fraud_device');

    const allowed = await review({ decision: 'allow' }, transaction_id);
    expect(allowed.json).toMatchObject({
      decision: 'allow',
      review: { decision: 'allow', analyst_id: null, notes: null },
    });
    expect(await outcomes()).toEqual({ confirmed_fraud: 0, confirmed_legitimate: 1 });
    expect((await screen({ ...payment, user_id: 'user-2' })).json.signals).not.toContain('known_fraud_device');
    expect((await call('GET', `/v1/decisions/${decision_id}`, { key })).json).toEqual(allowed.json);
    expect((await call('GET', `/v1/transactions/${transaction_id}`, { key })).json.decision).toBe('allow');
  });

  it('count a label once when two people decide at once', async () => {
    const { decision_id } = (await screen()).json;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: i % 2 ? 'block' : 'allow' } }),
      ),
    );
    expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const { outcomes } = (await call('GET', '/v1/users/user-1/risk-profile', { key })).json;
    expect(outcomes.confirmed_fraud + outcomes.confirmed_legitimate).toBe(1);
    const inForce = (await call('GET', `/v1/decisions/${decision_id}`, { key })).json.decision;
    expect(outcomes.confirmed_fraud).toBe(inForce === 'block' ? 1 : 0);
  });

  it('take an Idempotency-Key', async () => {
    const { decision_id } = (await screen()).json;
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (decision: string) =>
      call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision }, headers });
    const first = await send('block');
    const again = await send('block');
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await send('allow')).status).toBe(422);
  });

  it.each([
    [{ decision: 'review' }, ['decision']],
    [{}, ['decision']],
    [{ decision: 'allow', notes: 'n'.repeat(4001) }, ['notes']],
    [{ decision: 'allow', analyst_id: '' }, ['analyst_id']],
  ])('refuse %j', async (body, fields) => {
    const { decision_id } = (await screen()).json;
    expect(fieldsOf(await call('POST', `/v1/decisions/${decision_id}/review`, { key, body }))).toEqual(fields);
  });

  it('of nobody are 404', async () => {
    for (const id of ['dec_00000000000000000000000000', 'nonsense', 'case_00000000000000000000000000']) {
      expect((await call('GET', `/v1/decisions/${id}`, { key })).status).toBe(404);
      expect((await call('POST', `/v1/decisions/${id}/review`, { key, body: { decision: 'allow' } })).status).toBe(404);
    }
  });
});
