import { shop } from '../../../demo/shop';
import { serveShop } from '../../../demo/start-demo';
import { type ATTACKS, trafficCounts, trafficSummary } from '../../../demo/traffic-counts';
import type { Case, FraudScreening } from '../../../sdk/client/src';

describe('shop', () => {
  const answer = { risk_score: 70, explanation: { base: 5, contributions: [] }, transaction_id: 'txn_1' };

  /** A shop whose screenings all end like this. */
  const shopWith = (result: object) => {
    const asked: object[] = [];
    const screen = async (request: object) => {
      asked.push(request);
      return result;
    };
    const counter = shop({ transactions: { screen }, events: { screen } } as unknown as FraudScreening, 'http://c/');
    return { counter, asked };
  };
  const camera = { product: 'camera', customer: 'newcomer', place: 'server', device: 'fp1_x' } as const;
  const resolved = (status: string) => ({ subject_id: 'txn_1', status }) as Case;

  describe('the shop', () => {
    it.each([
      ['allow', 'paid'],
      ['review', 'held'],
      ['block', 'declined'],
    ])('on %s an order is %s', async (decision, state) => {
      const { counter, asked } = shopWith({ ...answer, decision, case_id: null });
      expect(await counter.buy(camera)).toMatchObject({ state, score: 70 });
      expect(asked).toMatchObject([{ event_type: 'signup' }, { amount: 990, device_fingerprint: 'fp1_x' }]);
    });

    it.each([
      ['approved', 'shipped'],
      ['rejected', 'cancelled'],
    ])('a held order that was %s is %s, once', async (status, state) => {
      const { counter } = shopWith({ ...answer, decision: 'review', case_id: 'case_1' });
      const { id, caseUrl } = await counter.buy(camera);
      expect(caseUrl).toBe('http://c/#/cases/case_1');
      counter.resolved(resolved(status));
      expect(counter.order(id)?.state).toBe(state);
      counter.resolved(resolved('approved'));
      expect(counter.order(id)?.state).toBe(state);
    });

    it('holds an order that could not be screened', async () => {
      const { counter } = shopWith({ fallback: true, decision: 'review' });
      expect(await counter.buy({ ...camera, device: null })).toMatchObject({
        state: 'held',
        score: null,
        caseUrl: null,
      });
    });
  });

  describe('its server', () => {
    const { counter } = shopWith({ ...answer, decision: 'allow', case_id: null });
    let site: Awaited<ReturnType<typeof serveShop>>;
    beforeAll(async () => {
      site = await serveShop(counter, 0);
    });
    afterAll(() => site.close());
    const order = async (body: string) => (await fetch(`${site.url}/orders`, { method: 'POST', body })).status;

    it('takes purchases and refuses everything else', async () => {
      expect(await order(JSON.stringify(camera))).toBe(200);
      expect((await fetch(`${site.url}/orders/1`)).status).toBe(200);
      for (const wrong of [{ product: 'toString' }, { customer: 'admin' }, { place: 1 }, { device: '' }]) {
        expect([wrong, await order(JSON.stringify({ ...camera, ...wrong }))]).toEqual([wrong, 400]);
      }
      expect(await order('{')).toBe(400);
      expect(await order('x'.repeat(10_000))).toBe(400);
      expect((await fetch(`${site.url}/orders/99`)).status).toBe(404);
    });

    it('serves the page under a strict policy', async () => {
      const response = await fetch(site.url);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(await (await fetch(`${site.url}/shop.js`)).text()).toContain('device');
    });
  });

  it('counts tell attackers from customers, and what was stopped', () => {
    const counted = trafficCounts();
    const done = (
      fraud: keyof typeof ATTACKS | undefined,
      decision: string,
      kind: 'screen-transaction' | 'screen-event' = 'screen-transaction',
    ) => {
      const intent = { kind, account: 0, body: {}, ...(fraud && { fraud }) };
      counted.onDone({ intent, status: 200, ms: 1, bytes: 1, text: '', json: { decision }, replayed: false });
    };
    done(undefined, 'allow');
    done('device_farm', 'review');
    done('device_farm', 'allow');
    done('card_testing', 'block');
    done('account_takeover', 'allow', 'screen-event');
    counted.onEvent('case.created');
    counted.onEvent('transaction.screened');
    expect(counted.line(65_000)).toBe(
      '1:05 · 3 allowed, 1 held, 1 blocked · cases 1 open, 0 resolved · webhooks 2 · payments stopped: card testing 1/1, takeover 0/0, device farm 1/2, bot signups 0/0',
    );
  });
});

describe('traffic summary', () => {
  type Counts = ReturnType<typeof trafficCounts>;

  function paid(counts: Counts, fraud: keyof typeof ATTACKS | undefined, decision: string, amount = 100): void {
    const contributions = [
      { signal: 'new_device', points: 10, detail: 'First use of this device' },
      { signal: 'shared_device', points: 40, detail: '14 users on this device' },
    ];
    const json = { decision, risk_score: 90, explanation: { base: 5, contributions } };
    const body = { amount, currency: 'USD' };
    const intent = { kind: 'screen-transaction' as const, account: 0, body, ...(fraud && { fraud }) };
    counts.onDone({ intent, status: 200, ms: 1, bytes: 1, text: '', json, replayed: false });
  }

  function failed(counts: Counts, status: number, code?: string): void {
    const intent = { kind: 'screen-transaction' as const, account: 0, body: {} };
    const json = code === undefined ? undefined : { error: { code } };
    counts.onDone({ intent, status, ms: 1, bytes: 1, text: '', json, replayed: false });
  }

  it('says what was stopped, what that saved, and how many honest customers noticed', () => {
    const counts = trafficCounts();
    paid(counts, 'device_farm', 'block', 1_500);
    paid(counts, 'account_takeover', 'review', 500);
    paid(counts, 'account_takeover', 'allow', 20);
    for (let times = 0; times < 18; times++) paid(counts, undefined, 'allow');
    paid(counts, undefined, 'review');
    paid(counts, undefined, 'block');
    expect(trafficSummary(counts, 125_000)).toEqual([
      'After 2:05: 23 screened, 19 allowed, 2 held, 2 blocked',
      '  Fraud stopped     2 of 3 payments: card testing 0/0, takeover 1/2, device farm 1/1, bot signups 0/0',
      '  Money             $2,000 kept from attackers, $20 lost',
      '  Honest customers  2 of 20 payments stopped (10.0%): 1 held for review, 1 blocked',
      '  Cases             0 open, 0 resolved; 0 webhooks verified',
      '  Last one stopped  takeover, $500, score 90: 14 users on this device',
      '  Failed requests   none',
    ]);
  });

  it('explains what failed', () => {
    const counts = trafficCounts();
    failed(counts, 503, 'unavailable');
    failed(counts, 503, 'unavailable');
    failed(counts, 0);
    failed(counts, 502);
    const lines = trafficSummary(counts, 0).slice(-3);
    expect(lines[0]).toMatch(/^ {2}Failed requests {3}2 × unavailable: .*stored nothing/);
    expect(lines[1]).toMatch(/^ {20}1 × no_answer: .*could not keep up/);
    expect(lines[2]).toMatch(/1 × status_502: see the function logs/);
  });
});
