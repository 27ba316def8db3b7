import { setTimeout as delay } from 'node:timers/promises';
import { call, newAccount } from '../support/api';
import { DAY, HOUR, pass, useTimeMachine } from '../support/machine/time-machine';

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

  it('every number equals the list behind it: blocked, held, missed, and by analyst', async () => {
    const opened = [await openCase(), await openCase(), await openCase()] as const;
    const [first, second] = opened;
    const resolve = (id: string, status: string) =>
      call('PUT', `/v1/cases/${id}`, { key, body: { status, analyst_id: 'ana' } });
    await resolve(first.case_id, 'rejected');
    await resolve(second.case_id, 'approved');
    const body = { user_id: 'regular', amount: 30, currency: 'USD' };
    const paid = (await call('POST', '/v1/transactions/screen', { key, body })).json;
    expect(paid.decision).toBe('allow');
    const occurred_at = paid.screened_at;
    const charged = { subject_id: paid.transaction_id, type: 'chargeback', source_id: 'dp_1', occurred_at };
    expect((await call('POST', '/v1/outcomes', { key, body: charged })).json).toMatchObject({
      label_in_force: 'fraud',
    });
    await eventually({
      screenings: { review: 3 },
      in_force: { review: 1, block: 1 },
      money: { blocked_usd: 1500, held_usd: 1500, missed_usd: 30 },
      missed_fraud: 1,
      desk: { resolved: 2, within_hour: 2, analysts: [{ analyst: 'ana', resolved: 2, rejected: 1 }] },
      previous: { screenings: { total: 0 }, missed_fraud: 0 },
    });
    const { start_date, end_date } = await overview();
    const dates = `start_date=${start_date}&end_date=${end_date}`;
    const listed = async (query: string): Promise<string[]> =>
      (await call('GET', `/v1/decisions?${query}&${dates}`, { key })).json.decisions.map(
        ({ subject_id }: { subject_id: string }) => subject_id,
      );
    expect(await listed('decision=block')).toEqual([first.transaction_id]);
    expect(await listed('decision=review')).toEqual([opened[2].transaction_id]);
    expect(await listed('outcome=missed_fraud')).toEqual([paid.transaction_id]);
    const { cases } = (await call('GET', `/v1/cases?resolved_by=ana&${dates}`, { key })).json;
    expect(cases.map(({ case_id }: { case_id: string }) => case_id)).toEqual([second.case_id, first.case_id]);
    const won = { ...charged, type: 'dispute_won' };
    await call('POST', '/v1/outcomes', { key, body: won });
    await eventually({ missed_fraud: 0, money: { missed_usd: 0 } });
    expect(await listed('outcome=missed_fraud')).toEqual([]);
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

describe('a rule', () => {
  /** Matches seen so far, in shadow or not. */
  let matched = 0;
  beforeEach(() => {
    matched = 0;
  });
  const put = (body: object, headers: Record<string, string> = {}) =>
    call('PUT', '/v1/rules/gift-cards', {
      key,
      body: { expression: 'attr.category == "gift_card" && amount > 200', action: 'block', ...body },
      headers,
    });
  const buy = async (user_id: string) => {
    const body = { user_id, amount: 250, currency: 'USD', custom_attributes: { category: 'gift_card' } };
    const { json } = await call('POST', '/v1/transactions/screen', { key, body });
    const decided = (await call('GET', `/v1/decisions/${json.decision_id}`, { key })).json;
    matched += json.rules.length + decided.shadow_rules.length;
    return { ...json, shadow_rules: decided.shadow_rules };
  };
  /** A minute later; on a machine that is too busy to read the rules within the wait, a minute more. */
  const screenUntil = async (user: string, isSo: (screened: Awaited<ReturnType<typeof buy>>) => boolean) => {
    for (let minutes = 1; ; minutes++) {
      await pass(61_000);
      const screened = await buy(user);
      if (isSo(screened) || minutes === 5) return screened;
    }
  };
  const applied = (version: number) => ({ name: 'gift-cards', version, action: 'block' });

  it('goes from draft over shadow and a tenth of the users to all, and is paused; matches are counted', async () => {
    const created = await put({});
    expect([created.status, created.json]).toMatchObject([
      201,
      { version: 1, state: 'draft', matches: { last_24h: 0, last_7d: 0 } },
    ]);
    expect(await buy('first')).toMatchObject({
      decision: 'allow',
      rules: [],
      lists: [],
      decided_by: { kind: 'score' },
    });

    expect((await put({ state: 'shadow' }, { 'If-Match': '"1"' })).json.version).toBe(2);
    const stale = await put({ state: 'active' }, { 'If-Match': '"1"' });
    expect([stale.status, stale.json.error.code]).toEqual([412, 'version_mismatch']);
    const shadowed = await screenUntil('second', ({ shadow_rules }) => shadow_rules.length > 0);
    expect(shadowed).toMatchObject({ decision: 'allow', rules: [], shadow_rules: [applied(2)] });

    const users = Array.from({ length: 12 }, (_, i) => `buyer-${i}`);
    const stopped = async () => {
      const names: string[] = [];
      for (const user of users) if ((await buy(user)).decision === 'block') names.push(user);
      return names;
    };
    await put({ state: 'active', rollout_percent: 10 });
    await screenUntil('third', ({ shadow_rules }) => shadow_rules.length === 0);
    const some = await stopped();
    expect(some.length).toBeLessThan(users.length);
    await put({ state: 'active' });
    const blocked = await screenUntil('fourth', ({ decision }) => decision === 'block');
    expect(blocked).toMatchObject({
      decided_by: { kind: 'rule', name: 'gift-cards' },
      rules: [applied(4)],
      case_id: null,
    });
    expect(await stopped()).toEqual(users);

    await put({ state: 'paused' });
    expect(await screenUntil('last', ({ rules }) => rules.length === 0)).toMatchObject({ decision: 'allow' });
    const versions = (await call('GET', '/v1/rules/gift-cards/versions', { key })).json.versions;
    expect(versions.map(({ state }: { state: string }) => state)).toEqual([
      'paused',
      'active',
      'active',
      'shadow',
      'draft',
    ]);
    for (let tries = 0; ; tries++) {
      const { matches } = (await call('GET', '/v1/rules/gift-cards', { key })).json;
      if (matches.last_24h === matched || tries >= 120) {
        expect(matches).toEqual({ last_24h: matched, last_7d: matched });
        break;
      }
      await delay(500);
    }
    expect((await call('DELETE', '/v1/rules/gift-cards', { key })).status).toBe(204);
    expect((await call('GET', '/v1/rules/gift-cards', { key })).status).toBe(404);
  });

  it('adds points, tells a bad expression apart, and an allow does not beat a confirmed fraud', async () => {
    const faulty = await put({ expression: 'amuont > 5 && true', priority: 1_000 });
    expect(faulty.status).toBe(400);
    expect(faulty.json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'expression',
      'priority',
    ]);
    expect(JSON.stringify(faulty.json)).toContain('at position 1: Unknown name amuont; did you mean amount?');

    // Before the account's first screening: in force at once.
    await put({ action: 'points', points: 30, state: 'active', note: 'Resold within minutes' });
    await call('PUT', '/v1/rules/vips', {
      key,
      body: { expression: 'user_id.startsWith("vip-")', action: 'allow', state: 'active' },
    });
    const scored = await buy('someone');
    const { base, contributions } = scored.explanation;
    expect(contributions).toContainEqual({
      signal: 'rule:gift-cards',
      points: 30,
      detail: 'Rule gift-cards: Resold within minutes',
    });
    expect(base + contributions.reduce((sum: number, each: { points: number }) => sum + each.points, 0)).toBe(
      scored.risk_score,
    );

    const vip = await buy('vip-1');
    expect(vip).toMatchObject({ decision: 'allow', decided_by: { kind: 'rule', name: 'vips' } });
    await call('POST', `/v1/decisions/${vip.decision_id}/review`, { key, body: { decision: 'block' } });
    const again = await buy('vip-1');
    expect(again.rules).toContainEqual({ name: 'vips', version: 1, action: 'allow' });
    expect(again.decided_by.kind).toBe('score');
    expect(again.decision).not.toBe('allow');
  });
});
