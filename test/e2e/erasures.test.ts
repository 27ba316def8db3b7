import { call, newAccount } from '../support/api';
import { MINUTE, passWithSchedules, useTimeMachine } from '../support/machine/time-machine';

useTimeMachine();

const erasureOf = async (key: string, id: string) => (await call('GET', `/v1/erasures/${id}`, { key })).json;
const erase = async (key: string, user: string, query = '') => {
  const { status, json } = await call('DELETE', `/v1/users/${user}${query}`, { key });
  expect([status, Object.keys(json)]).toEqual([202, ['erasure_id', 'keeps_fraud_evidence']]);
  return json.erasure_id as string;
};

/** Declares what is counted in an account; each payment then says what was. */
async function countsIn(key: string) {
  const counter = { of: ['transaction'], count: 'attempts', window: '24h' };
  const names = { by_user: 'user_id', by_device: 'device_fingerprint', by_ip: 'ip_address' };
  for (const [name, by] of Object.entries(names))
    await call('PUT', `/v1/counters/${name}`, { key, body: { ...counter, by: [by] } });
  const expression = Object.keys(names)
    .map((name) => `counters.${name} > 99`)
    .join(' || ');
  const rule = { expression, action: 'review', state: 'shadow' };
  expect((await call('PUT', '/v1/rules/reads', { key, body: rule })).status).toBe(201);
  await passWithSchedules(2 * MINUTE);
  return async (user_id: string, device_fingerprint: string) => {
    const body = { user_id, device_fingerprint, amount: 20, currency: 'EUR', ip_address: '91.0.7.7' };
    const { decision_id } = (await call('POST', '/v1/transactions/screen', { key, body })).json;
    return (await call('GET', `/v1/decisions/${decision_id}`, { key })).json.counters;
  };
}

it('erases somebody in the next run, whatever other accounts ask for, and nobody at once', async () => {
  const [busy, quiet] = [(await newAccount()).key, (await newAccount()).key];
  for (let nobody = 0; nobody < 40; nobody++) {
    const id = await erase(busy, `nobody-${nobody}`);
    // Answered without a walk, and like any other: it names nobody and found nothing.
    expect(await erasureOf(busy, id)).toMatchObject({ status: 'completed', items_checked: 0, erased: {} });
  }
  const forced = { custom_attributes: { sandbox_decision: 'review' } };
  for (const [user_id, more] of [
    ['ann', {}],
    ['tester', forced],
  ] as const) {
    const body = { user_id, amount: 20, currency: 'EUR', device_fingerprint: `phone of ${user_id}`, ...more };
    expect((await call('POST', '/v1/transactions/screen', { key: quiet, body })).status).toBe(200);
  }
  const counted = await countsIn(quiet);
  await counted('bea', 'tablet');
  expect(await counted('cleo', 'tablet')).toEqual({ by_user: 1, by_device: 2, by_ip: 2 });
  expect(await counted('cleo', 'laptop')).toEqual({ by_user: 2, by_device: 1, by_ip: 3 });
  const ids = [await erase(quiet, 'ann'), await erase(quiet, 'tester'), await erase(quiet, 'cleo')];
  expect(await erasureOf(quiet, ids[0] ?? '')).toMatchObject({ status: 'pending' });
  // The schedules follow the clock: nobody fires one here.
  await passWithSchedules(15 * MINUTE);
  expect(await erasureOf(quiet, ids[0] ?? '')).toMatchObject({ status: 'completed', erased: { result: 1, entity: 1 } });
  expect(await erasureOf(quiet, ids[1] ?? '')).toMatchObject({ status: 'completed', erased: { result: 1 } });
  // Counts by a person, or by a device that nobody else used, start again; counts that others share continue.
  expect((await erasureOf(quiet, ids[2] ?? '')).erased).toMatchObject({ result: 2, counter: 1 });
  expect(await counted('cleo', 'laptop')).toEqual({ by_user: 1, by_device: 1, by_ip: 4 });
  expect(await counted('bea', 'tablet')).toEqual({ by_user: 2, by_device: 3, by_ip: 5 });
});

describe('somebody with confirmed fraud', () => {
  const card = { card_fingerprint: 'card of mallory' };
  const paying = { amount: 20, currency: 'EUR', device_fingerprint: 'phone of mallory', custom_attributes: card };
  const pay = async (key: string, user_id: string, more: object = {}) =>
    (await call('POST', '/v1/transactions/screen', { key, body: { user_id, ...paying, ...more } })).json;

  /** Confirmed twice. */
  async function fraudster(key: string): Promise<void> {
    for (let payment = 0; payment < 2; payment++) {
      const { decision_id } = await pay(key, 'mallory');
      await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'block' } });
    }
  }

  it('is no more trusted after an erasure, under the same name, or with the same device or card', async () => {
    const { key } = await newAccount();
    await call('PUT', '/v1/lists/thieves', { key, body: { type: 'user_id', effect: 'block' } });
    await call('POST', '/v1/lists/thieves/entries', { key, body: { entries: [{ value: 'eve', reason: 'Fled.' }] } });
    await fraudster(key);
    const own = { device_fingerprint: 'tablet', custom_attributes: {} };
    expect(await pay(key, 'eve', own)).toMatchObject({ decision: 'block' });
    const before = await pay(key, 'mallory');
    expect(before.decision).not.toBe('allow');
    const ids = [await erase(key, 'mallory'), await erase(key, 'eve')];
    await passWithSchedules(15 * MINUTE);
    for (const id of ids)
      expect(await erasureOf(key, id)).toMatchObject({ status: 'completed', keeps_fraud_evidence: true });
    expect((await call('GET', '/v1/users/mallory/risk-profile', { key })).status).toBe(404);
    const [entry] = (await call('GET', '/v1/lists/thieves/entries', { key })).json.entries;
    expect(entry).toMatchObject({ value: expect.stringMatching(/^1\./), reason: null, expires_at: expect.any(String) });
    const [name, device, other] = [
      await pay(key, 'mallory', { device_fingerprint: undefined, custom_attributes: {} }),
      await pay(key, 'trent', { custom_attributes: {} }),
      await pay(key, 'oscar', { device_fingerprint: undefined }),
    ];
    expect([name, device, other].map(({ decision }) => decision)).not.toContain('allow');
    expect((await pay(key, 'mallory')).risk_score).toBeGreaterThanOrEqual(before.risk_score - 5);
    expect(await pay(key, 'eve', own)).toMatchObject({ decision: 'block' });
  });

  it('is somebody new once everything was erased', async () => {
    const { key } = await newAccount();
    await fraudster(key);
    const id = await erase(key, 'mallory', '?everything=true');
    await passWithSchedules(15 * MINUTE);
    expect(await erasureOf(key, id)).toMatchObject({ status: 'completed', keeps_fraud_evidence: false });
    expect(await pay(key, 'mallory')).toMatchObject({ decision: 'allow' });
  });

  it('refuses a query other than true and false', async () => {
    const { key } = await newAccount();
    const { status, json } = await call('DELETE', '/v1/users/mallory?everything=yes', { key });
    expect([status, json.error.details[0].field]).toEqual([400, 'everything']);
  });
});
