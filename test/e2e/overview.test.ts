import { setTimeout as delay } from 'node:timers/promises';
import { call, newAccount } from '../support/api';
import { DAY, HOUR, pass, useTimeMachine } from '../support/time-machine';

useTimeMachine();

let key: string;
beforeEach(async () => {
  ({ key } = await newAccount());
});

const overview = async (query = '', as = key) => (await call('GET', `/v1/overview${query}`, { key: as })).json;

/** Figures trail the stream: asked for until they are as expected. */
async function eventually(expected: object, query = ''): Promise<void> {
  for (let tries = 0; ; tries++) {
    const found = await overview(query);
    try {
      expect(found).toMatchObject(expected);
      return;
    } catch (error) {
      if (tries >= 120) throw error;
      await delay(500);
    }
  }
}

let serial = 0;
interface Opened {
  readonly case_id: string;
  readonly transaction_id: string;
  readonly signals: readonly string[];
  /** Of the signup before it. */
  readonly signupSignals: readonly string[];
}
async function openCase(): Promise<Opened> {
  const user_id = `hasty-${++serial}`;
  const where = { device_fingerprint: `device-${serial}`, ip_address: `52.94.78.${(serial % 250) + 1}` };
  const signup = await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id, ...where } });
  const body = { user_id, amount: 1500, currency: 'USD', ...where };
  const { json } = await call('POST', '/v1/transactions/screen', { key, body });
  expect(json.warnings).toBeUndefined();
  return { ...json, signupSignals: signup.json.signals };
}

describe('GET /v1/overview', () => {
  it('counts what was screened and what people found out, each once', async () => {
    const opened = [await openCase(), await openCase(), await openCase()] as const;
    const [first, second] = opened;
    await call('PUT', `/v1/cases/${first.case_id}`, { key, body: { status: 'rejected' } });
    await call('PUT', `/v1/cases/${second.case_id}`, { key, body: { status: 'approved' } });
    // On second thoughts: the label follows, the case stays what it is.
    await call('POST', `/v1/decisions/${second.transaction_id}/review`, { key, body: { decision: 'block' } });
    await eventually({
      interval: 'hour',
      screenings: { review: 3, block: 0 },
      outcomes: {
        allow: { confirmed_fraud: 0, confirmed_legitimate: 0 },
        review: { confirmed_fraud: 2, confirmed_legitimate: 0 },
      },
      cases: { opened: 3, open: 1, approved: 1, rejected: 1, expired: 0 },
      review_precision: 0.5,
    });
    const { screenings, decisions, scores, signals } = await overview();
    expect(screenings.total).toBe(screenings.transactions + screenings.events);
    const sum = (list: Record<string, number>[], name: string) =>
      list.reduce((total, each) => total + (each[name] ?? 0), 0);
    for (const decision of ['allow', 'review', 'block']) {
      expect([sum(decisions, decision), sum(scores, decision)]).toEqual([screenings[decision], screenings[decision]]);
    }
    expect(sum(scores, 'confirmed_fraud')).toBe(2);
    const all = opened.flatMap((each) => [...each.signals, ...each.signupSignals]);
    for (const signal of first.signals) {
      const count = all.filter((each) => each === signal).length;
      expect(signals).toContainEqual({ signal, count, confirmed_fraud: 2, confirmed_legitimate: 0 });
    }
  });

  it('shows an account nothing of another', async () => {
    const other = await newAccount();
    await openCase();
    await eventually({ screenings: { review: 1 } });
    expect(await overview('', other.key)).toMatchObject({
      screenings: { total: 0 },
      signals: [],
      cases: { opened: 0 },
    });
  });

  it('cuts by dates, in hours for a week and in days beyond; cases expire in it by the clock', async () => {
    await openCase();
    await eventually({ screenings: { review: 1 } });
    const start = new Date((await overview()).end_date).getTime();
    await pass(2 * HOUR);
    await openCase();
    await eventually({ screenings: { review: 2 }, cases: { opened: 2, open: 2 } });
    const later = `?start_date=${new Date(start).toISOString()}`;
    await eventually({ screenings: { review: 1 }, cases: { opened: 1 } }, later);

    await pass(10 * DAY);
    const since = `?start_date=${new Date(start - DAY).toISOString()}`;
    await eventually({ interval: 'day', screenings: { review: 2 }, cases: { opened: 2, open: 0, expired: 2 } }, since);
    const { decisions } = await overview(since);
    expect(decisions.length).toBeGreaterThanOrEqual(11);
    expect(await overview()).toMatchObject({ screenings: { total: 0 } });
  });

  it.each(['start_date=yesterday', 'end_date=2026-13-01'])('refuses %s', async (query) => {
    const reply = await call('GET', `/v1/overview?${query}`, { key });
    expect([reply.status, reply.json.error.details[0].field]).toEqual([400, query.split('=')[0]]);
  });

  it('is empty for an empty span', async () => {
    expect(await overview('?start_date=2030-01-01&end_date=2029-01-01')).toMatchObject({ screenings: { total: 0 } });
  });
});
