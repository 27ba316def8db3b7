import { call, newAccount } from '../support/api';
import { DAY, HOUR, MINUTE, pass, SECOND, useTimeMachine } from '../support/machine/time-machine';

/** Addresses by where and what they are, in the data that ships with the service. */
const IP = {
  berlin: '91.0.0.1',
  newYork: '73.10.20.30',
  paris: '90.0.0.1',
  saoPaulo: '177.32.0.1',
  lagos: '41.58.0.1',
  americanPhone: '172.56.20.1',
  indianPhone: '49.36.0.1',
  cloud: '52.94.76.1',
};

interface Screened {
  readonly transaction_id?: string;
  readonly risk_score: number;
  readonly decision: string;
  readonly signals: readonly string[];
  readonly explanation: { base: number; contributions: { signal: string; points: number; detail: string }[] };
}

useTimeMachine();

let key: string;
beforeEach(async () => {
  ({ key } = await newAccount());
});

async function screened(path: string, body: object): Promise<Screened> {
  const { status, json } = await call('POST', path, { key, body });
  expect(status).toBe(200);
  const { risk_score, explanation, signals } = json;
  const points = explanation.contributions.reduce((sum: number, { points: p }: { points: number }) => sum + p, 0);
  expect(explanation.base + points).toBe(risk_score);
  expect(signals).toEqual(
    explanation.contributions.filter((c: { points: number }) => c.points > 0).map((c: { signal: string }) => c.signal),
  );
  expect(json.warnings).toBeUndefined();
  return json;
}

const pay = (user_id: string, amount: number, more: object = {}) =>
  screened('/v1/transactions/screen', { user_id, amount, currency: 'USD', payment_method: 'card', ...more });
const act = (event_type: string, user_id: string, more: object = {}) =>
  screened('/v1/events', { event_type, user_id, ...more });

/** A regular customer: a purchase every other day for a month, on one device from one place. */
async function regular(user: string, amount: number, from: object): Promise<void> {
  await act('signup', user, from);
  for (let i = 0; i < 15; i++) {
    await pass(2 * DAY + ((i * 37) % 60) * MINUTE);
    await act('login', user, from);
    await pay(user, amount * (0.7 + ((i * 31) % 60) / 100), from);
  }
  await pass(2 * DAY);
}

const stopped = { decision: expect.stringMatching(/^(review|block)$/) };
const allowed = { decision: 'allow' };

describe('attacks end in review or block', () => {
  it('card testing: a burst of small payments, a card each', async () => {
    let last: Screened | undefined;
    for (let i = 0; i < 14; i++) {
      await pass(20 * SECOND);
      const custom_attributes = { card_fingerprint: `stolen-${i}` };
      last = await pay('tester', 1 + (i % 3), { device_fingerprint: 'bot', ip_address: IP.cloud, custom_attributes });
    }
    expect(last).toMatchObject(stopped);
    expect(last?.signals).toEqual(expect.arrayContaining(['card_testing_pattern', 'velocity_spike']));
  });

  it('account takeover: failed logins, a reset, a new device in a new country, a high amount', async () => {
    const home = { device_fingerprint: 'laptop', ip_address: IP.berlin };
    await regular('victim', 40, home);
    const thief = { device_fingerprint: 'thief', ip_address: IP.lagos };
    for (let i = 0; i < 6; i++) {
      await pass(10 * SECOND);
      await act('login', 'victim', { ...thief, outcome: 'failed' });
    }
    await pass(MINUTE);
    await act('password_reset', 'victim', thief);
    await pass(5 * MINUTE);
    const bought = await pay('victim', 900, { ...thief, billing_address: { country: 'DE' } });
    expect(bought).toMatchObject(stopped);
    expect(bought.signals).toEqual(
      expect.arrayContaining(['password_reset_then_purchase', 'new_device', 'amount_anomaly', 'failed_login_burst']),
    );
  });

  it('one device behind many accounts', async () => {
    let last: Screened | undefined;
    for (let i = 0; i < 12; i++) {
      await pass(10 * MINUTE);
      const from = { device_fingerprint: 'farm', ip_address: IP.newYork };
      await act('signup', `mule-${i}`, from);
      await pass(5 * MINUTE);
      last = await pay(`mule-${i}`, 60, from);
    }
    expect(last).toMatchObject(stopped);
    expect(last?.signals).toContain('shared_device');
  });

  it('a password spray: fifteen users fail from one IP address, then a login succeeds and buys', async () => {
    const sprayed = (n: number) => ({ ip_address: IP.cloud, device_fingerprint: `bot-${n}` });
    const failed: Screened[] = [];
    for (let i = 0; i < 16; i++) {
      failed.push(await act('login', `tried-${i}`, { ...sprayed(i), outcome: 'failed' }));
      await pass(10 * SECOND);
    }
    expect(failed.map(({ signals }) => signals.includes('password_spray'))).toEqual([
      ...Array.from({ length: 14 }, () => false),
      true,
      true,
    ]);
    const entered = await act('login', 'tried-3', sprayed(20));
    expect(entered).toMatchObject(stopped);
    expect(entered.signals).toContain('success_after_spray');
    await pass(30 * MINUTE);
    // Another IP address of the same /24: the network remembers.
    const bought = await pay('tried-5', 60, { ...sprayed(21), ip_address: '52.94.76.200' });
    expect(bought).toMatchObject(stopped);
    expect(bought.signals).toContain('success_after_spray');
  });

  it('an extreme amount, at once', async () => {
    const bought = await pay('newcomer', 1e12, { currency: 'EUR' });
    expect(bought).toMatchObject(stopped);
    expect(bought.signals).toContain('extreme_amount');
  });

  it('a signup followed by a dear purchase within seconds', async () => {
    const from = { device_fingerprint: 'fresh', ip_address: IP.cloud };
    await act('signup', 'hasty', from);
    await pass(8 * SECOND);
    const bought = await pay('hasty', 1500, from);
    expect(bought).toMatchObject(stopped);
    expect(bought.signals).toEqual(expect.arrayContaining(['rapid_signup_purchase', 'first_use_high_amount']));
  });
});

describe('trying again is no use', () => {
  it('a stopped purchase never scores lower while its case is open, and its device is familiar once it is approved', async () => {
    const home = { device_fingerprint: 'laptop', ip_address: IP.berlin, billing_address: { country: 'DE' } };
    for (let i = 0; i < 12; i++) {
      await pay('robbed', 20 + ((i * 5) % 15), home);
      await pass(3 * DAY);
    }
    const thief = { ...home, device_fingerprint: 'thief', ip_address: IP.lagos };
    const first = await pay('robbed', 900, thief);
    expect(first.decision).toBe('review');
    for (const wait of [MINUTE, HOUR, 5 * HOUR, 20 * HOUR, 46 * HOUR]) {
      await pass(wait);
      const again = await pay('robbed', 900, thief);
      expect(again.risk_score).toBeGreaterThanOrEqual(first.risk_score);
      expect(again.signals).toContain('repeats_stopped_attempt');
    }
    // The owner of the account pays nothing for it.
    expect((await pay('robbed', 25, home)).risk_score).toBeLessThan(15);
    const { json } = await call('GET', '/v1/cases?status=open&limit=100', { key });
    const { case_id } = json.cases.find(
      ({ subject_id }: { subject_id: string }) => subject_id === first.transaction_id,
    );
    expect(await call('PUT', `/v1/cases/${case_id}`, { key, body: { status: 'approved' } })).toMatchObject({
      status: 200,
    });
    const approved = await pay('robbed', 60, thief);
    expect(approved).toMatchObject(allowed);
    expect(approved.signals).not.toContain('new_device');
    expect(approved.signals).not.toContain('repeats_stopped_attempt');
  });
});

describe('honest people are let through', () => {
  it('a traveller on mobile', async () => {
    await regular('traveller', 50, { device_fingerprint: 'phone', ip_address: IP.americanPhone });
    await pass(3 * HOUR);
    const abroad = await pay('traveller', 60, { device_fingerprint: 'phone', ip_address: IP.indianPhone });
    expect(abroad).toMatchObject(allowed);
    expect(abroad.signals).not.toContain('impossible_travel');
  });

  it('a big spender with history', async () => {
    const from = { device_fingerprint: 'desk', ip_address: IP.paris };
    await regular('collector', 1800, from);
    const bought = await pay('collector', 2200, from);
    expect(bought).toMatchObject(allowed);
    expect(bought.signals).not.toContain('amount_anomaly');
  });

  it('an office that shares one address', async () => {
    const decisions: string[] = [];
    for (let day = 0; day < 2; day++) {
      for (let i = 0; i < 25; i++) {
        await pass(15 * MINUTE);
        const from = { device_fingerprint: `pc-${i}`, ip_address: IP.berlin };
        decisions.push((await pay(`clerk-${i}`, 25 + i, from)).decision);
      }
      await pass(18 * HOUR);
    }
    expect(new Set(decisions)).toEqual(new Set(['allow']));
  });

  it('a payer whose card fails twice and who tries again', async () => {
    const from = { device_fingerprint: 'tablet', ip_address: IP.newYork };
    await regular('patient', 80, from);
    let last: Screened | undefined;
    for (let i = 0; i < 3; i++) {
      last = await pay('patient', 85, { ...from, custom_attributes: { card_fingerprint: 'mine' } });
      await pass(40 * SECOND);
    }
    expect(last).toMatchObject(allowed);
    expect(last?.signals).not.toContain('card_testing_pattern');
  });
});
