import { randomUUID } from 'node:crypto';
import { isAllowed, type Permission, ROLES, type Role } from '../../shared/domain/accounts/role';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount, type Reply } from '../support/api';
import { localRun } from '../support/local-run';
import { DAY, HOUR, pass, SECOND, useTimeMachine } from '../support/machine/time-machine';

describe('cases', () => {
  useTimeMachine();

  let key: string;
  beforeEach(async () => {
    ({ key } = await newAccount());
  });

  let serial = 0;
  /** A screening that ends in review: a fresh signup that spends a lot at once. */
  async function openCase(
    from: object = {},
  ): Promise<{ case_id: string; transaction_id: string; created_at: string; user_id: string }> {
    const user_id = `hasty-${++serial}`;
    const where = { device_fingerprint: `device-${serial}`, ip_address: `52.94.76.${(serial % 250) + 1}`, ...from };
    await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id, ...where } });
    const body = { user_id, amount: 1500, currency: 'USD', ...where };
    const { json } = await call('POST', '/v1/transactions/screen', { key, body });
    expect(json).toMatchObject({ decision: 'review', case_id: expect.stringMatching(/^case_/) });
    return { case_id: json.case_id, transaction_id: json.transaction_id, created_at: json.screened_at, user_id };
  }
  const get = (id: string) => call('GET', `/v1/cases/${id}`, { key });
  const put = (id: string, body: object): Promise<Reply> => call('PUT', `/v1/cases/${id}`, { key, body });
  const list = async (query = '') => (await call('GET', `/v1/cases${query}`, { key })).json;
  const idsOf = (page: { cases: { case_id: string }[] }): string[] => page.cases.map(({ case_id }) => case_id);

  describe('a case', () => {
    it('is opened with the screening, and resolved by PUT with its decision and label', async () => {
      const { case_id, transaction_id, created_at, user_id } = await openCase();
      const opened = await get(case_id);
      expect(opened.json).toEqual({
        case_id,
        subject_type: 'transaction',
        subject_id: transaction_id,
        user_id,
        amount: 1500,
        currency: 'USD',
        status: 'open',
        risk_score: expect.any(Number),
        decision: 'review',
        signals: expect.arrayContaining(['rapid_signup_purchase']),
        created_at,
        expires_at: new Date(Date.parse(created_at) + 7 * DAY).toISOString(),
        resolved_at: null,
        resolved_by: null,
        notes: null,
        assignee: null,
        claimed_until: null,
        comments: 0,
        device: expect.any(String),
      });
      const resolved = await put(case_id, { status: 'rejected', analyst_id: 'ana', notes: 'stolen' });
      expect(resolved.status).toBe(200);
      expect(resolved.json).toEqual({
        ...opened.json,
        status: 'rejected',
        resolved_at: expect.any(String),
        resolved_by: 'ana',
        notes: 'stolen',
      });
      expect((await get(case_id)).json).toEqual(resolved.json);
      const decision = (await call('GET', `/v1/decisions/${transaction_id}`, { key })).json;
      expect(decision).toMatchObject({
        decision: 'block',
        automated_decision: 'review',
        case_id,
        review: { decision: 'block', analyst_id: 'ana', notes: 'stolen', reviewed_at: resolved.json.resolved_at },
      });
      const { outcomes } = (await call('GET', `/v1/users/${user_id}/risk-profile`, { key })).json;
      expect(outcomes).toEqual({ confirmed_fraud: 1, confirmed_legitimate: 0 });
    });

    it('rejected for a device makes the next screening on it carry known_fraud_device', async () => {
      const { case_id } = await openCase({ device_fingerprint: 'tainted' });
      await put(case_id, { status: 'rejected' });
      const body = { user_id: 'next', amount: 20, currency: 'USD', device_fingerprint: 'tainted' };
      expect((await call('POST', '/v1/transactions/screen', { key, body })).json.signals).toContain(
        'known_fraud_device',
      );
    });

    it('is opened by an event, too: a list of stolen passwords tried on one device', async () => {
      const tried = { event_type: 'login', outcome: 'failed', device_fingerprint: 'list', ip_address: '52.94.76.9' };
      let json: { decision: string; case_id: string; event_id: string } | undefined;
      for (let i = 0; i < 60 && json?.decision !== 'review'; i++) {
        json = (await call('POST', '/v1/events', { key, body: { ...tried, user_id: `victim-${i}` } })).json;
      }
      expect((await get(json?.case_id ?? '')).json).toMatchObject({
        status: 'open',
        event_type: 'login',
        subject_type: 'event',
        subject_id: json?.event_id,
        signals: expect.arrayContaining(['failed_login_burst']),
      });
      expect((await put(json?.case_id ?? '', { status: 'approved' })).json.status).toBe('approved');
    });

    it('is resolved by a review of its decision', async () => {
      const { case_id, transaction_id } = await openCase();
      await call('POST', `/v1/decisions/${transaction_id}/review`, {
        key,
        body: { decision: 'allow', analyst_id: 'bo' },
      });
      expect((await get(case_id)).json).toMatchObject({ status: 'approved', resolved_by: 'bo' });
      expect(await list('?status=approved')).toMatchObject({ total: 1 });
    });

    it('has one winner among many resolvers', async () => {
      const { case_id } = await openCase();
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          put(case_id, { status: i % 2 ? 'approved' : 'rejected', analyst_id: `a${i}` }),
        ),
      );
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const { status, json } of replies.filter((reply) => reply !== won[0])) {
        expect([status, json.error.code]).toEqual([409, 'case_not_open']);
        expect(json.error.message).toContain(won[0]?.json.status);
      }
      expect((await get(case_id)).json).toEqual(won[0]?.json);
      expect((await list()).total).toBe(1);
    });

    it('leaves labels to train on, the latest of each subject, without a name in them', async () => {
      const { account_id, key: own } = await newAccount();
      key = own;
      const { case_id, transaction_id } = await openCase();
      await put(case_id, { status: 'rejected', analyst_id: 'ana', notes: 'private' });
      await call('POST', `/v1/decisions/${transaction_id}/review`, { key, body: { decision: 'allow' } });
      const month = (await get(case_id)).json.created_at.slice(0, 7);
      const labels = await admin().labels.ofMonth(account_id, month);
      expect(labels).toEqual([
        expect.objectContaining({
          subject_id: transaction_id,
          label: 'legitimate',
          source: 'decision_review',
          model_version: expect.any(String),
          vector: expect.any(Array),
        }),
      ]);
      expect(labels[0]?.vector.filter((value) => value !== null).length).toBeGreaterThan(20);
      expect(JSON.stringify(labels)).not.toMatch(/hasty|device-|private|52\.94/);
    });

    it('is another account’s secret', async () => {
      const { case_id } = await openCase();
      const other = await newAccount();
      for (const reply of [
        await call('GET', `/v1/cases/${case_id}`, { key: other.key }),
        await call('PUT', `/v1/cases/${case_id}`, { key: other.key, body: { status: 'approved' } }),
      ]) {
        expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
      }
      expect((await call('GET', '/v1/cases', { key: other.key })).json.total).toBe(0);
    });

    it.each([
      [{}, ['status']],
      [{ status: 'open' }, ['status']],
      [{ status: 'expired' }, ['status']],
      [{ status: 'approved', notes: 'n'.repeat(4001) }, ['notes']],
    ])('refuses %j', async (body, fields) => {
      const { json, status } = await put('case_00000000000000000000000000', body);
      expect(status).toBe(400);
      expect(json.error.details.map(({ field }: { field: string }) => field)).toEqual(fields);
    });
  });

  describe('expiry', () => {
    it('comes at seven days by the clock, on every read, list and write, before any sweep and after', async () => {
      const { case_id } = await openCase();
      await pass(7 * DAY - 20 * SECOND);
      expect((await get(case_id)).json.status).toBe('open');
      expect([(await list('?status=open')).total, (await list('?status=expired')).total]).toEqual([1, 0]);

      await pass(21 * SECOND);
      const check = async () => {
        expect((await get(case_id)).json).toMatchObject({ status: 'expired', resolved_at: null, resolved_by: null });
        expect((await list()).cases[0].status).toBe('expired');
        expect(idsOf(await list('?status=expired'))).toEqual([case_id]);
        expect(await list('?status=open')).toMatchObject({ cases: [], total: 0, has_more: false });
        const late = await put(case_id, { status: 'approved' });
        expect([late.status, late.json.error.code]).toEqual([409, 'case_not_open']);
        expect(late.json.error.message).toContain('expired');
      };
      await check();
      const schedules = await (await fetch(`${localRun().url}/_local/schedules`)).json();
      const name = (schedules as string[]).find((rule) => rule.includes('CasesDue'));
      const fire = () =>
        fetch(`${localRun().url}/_local/schedules/${encodeURIComponent(name ?? '')}`, { method: 'POST' });
      for (const outcome of await Promise.all([fire(), fire()])) expect(outcome.status).toBe(200);
      await check();
    });
  });

  describe('GET /v1/cases', () => {
    it('pages newest first with exact totals, by status and dates', async () => {
      const opened: { case_id: string; created_at: string }[] = [];
      for (let i = 0; i < 9; i++) {
        opened.unshift(await openCase());
        await pass([3 * SECOND, 70 * SECOND, 5 * 3600 * SECOND, 26 * 3600 * SECOND][i % 4] ?? 0);
      }
      const ids = opened.map(({ case_id }) => case_id);
      const whole = await list('?limit=100');
      expect(idsOf(whole)).toEqual(ids);
      expect(whole).toMatchObject({ total: 9, limit: 100, offset: 0, has_more: false });
      expect(await list()).toMatchObject({ limit: 20 });

      const pages: string[] = [];
      for (let offset = 0; offset < 9; offset += 2) {
        const page = await list(`?limit=2&offset=${offset}`);
        expect(page).toMatchObject({ total: 9, limit: 2, offset, has_more: offset + 2 < 9 });
        pages.push(...idsOf(page));
      }
      expect(pages).toEqual(ids);
      expect(await list('?offset=9')).toMatchObject({ cases: [], total: 9, has_more: false });

      // The start is included, the end is not.
      const [from, to] = [opened[6]?.created_at ?? '', opened[2]?.created_at ?? ''];
      const span = `start_date=${encodeURIComponent(from)}&end_date=${encodeURIComponent(to)}`;
      const between = await list(`?${span}`);
      expect(idsOf(between)).toEqual(ids.slice(3, 7));
      expect(between.total).toBe(4);

      await put(ids[4] ?? '', { status: 'approved' });
      await put(ids[5] ?? '', { status: 'rejected' });
      expect(idsOf(await list('?status=approved'))).toEqual([ids[4]]);
      expect(idsOf(await list(`?status=rejected&${span}`))).toEqual([ids[5]]);
      expect((await list(`?status=open&${span}`)).total).toBe(2);
      expect((await list()).total).toBe(9);
      expect(idsOf(await list('?limit=100'))).toEqual(ids);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'limit=-1',
      'offset=-1',
      'offset=x',
      'status=closed',
      'start_date=yesterday',
      'end_date=2026-13-01',
      'limit=',
    ])('refuses %s', async (query) => {
      const reply = await call('GET', `/v1/cases?${query}`, { key });
      expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_request']);
      expect(reply.json.error.details[0].field).toBe(query.split('=')[0]);
    });

    it('is empty for an empty span', async () => {
      await openCase();
      expect(await list('?start_date=2030-01-01&end_date=2029-01-01')).toMatchObject({ cases: [], total: 0 });
    });
  });
});

describe('desk', () => {
  let account: Awaited<ReturnType<typeof newAccount>>;
  let ana: string;
  let bo: string;
  beforeAll(async () => {
    account = await newAccount('desk');
    const own = async (person: string) =>
      (await createKey(admin(), account.account_id, null, { role: 'analyst', person, lifeMs: 3_600_000 })).key;
    [ana, bo] = [await own('ana.silva'), await own('bo')];
  });

  let serial = 0;
  async function heldPayment(): Promise<string> {
    const { key } = account;
    const user_id = `desk-${++serial}`;
    const from = { user_id, device_fingerprint: user_id, ip_address: `52.94.76.${serial}` };
    await call('POST', '/v1/events', { key, body: { event_type: 'signup', ...from } });
    const body = { ...from, amount: 1500, currency: 'USD' };
    const { json } = await call('POST', '/v1/transactions/screen', { key, body });
    expect(json.case_id).toMatch(/^case_/);
    return json.case_id;
  }
  const claim = (key: string, id: string, options: object = {}) =>
    call('POST', `/v1/cases/${id}/claim`, { key, ...options });
  const codeOf = ({ status, json }: Reply) => [status, json?.error?.code];

  describe('two analysts at once', () => {
    it('one of them gets the case, the other learns who has it; it shows everywhere', async () => {
      const id = await heldPayment();
      const replies = await Promise.all([claim(ana, id), claim(bo, id)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isAna = replies[0]?.status === 200;
      const [holder, winner, loser] = isAna ? ['ana.silva', ana, bo] : ['bo', bo, ana];
      const refused = replies.find(({ status }) => status === 409);
      expect(refused?.json.error).toMatchObject({ code: 'case_claimed', message: expect.stringContaining(holder) });
      const { json } = await call('GET', `/v1/cases/${id}`, { key: loser });
      expect(json).toMatchObject({ assignee: holder, claimed_until: expect.any(String), comments: 0 });
      const { cases } = (await call('GET', '/v1/cases?status=open', { key: loser })).json;
      expect(cases.find((each: { case_id: string }) => each.case_id === id)).toEqual(json);

      expect(codeOf(await call('PUT', `/v1/cases/${id}`, { key: loser, body: { status: 'approved' } }))).toEqual([
        409,
        'case_claimed',
      ]);
      expect(codeOf(await call('DELETE', `/v1/cases/${id}/claim`, { key: loser }))).toEqual([409, 'case_claimed']);
      expect((await call('DELETE', `/v1/cases/${id}/claim`, { key: winner })).status).toBe(204);
      expect((await claim(loser, id)).status).toBe(200);
      const forced = { status: 'approved', force: true, analyst_id: 'somebody' };
      const resolved = await call('PUT', `/v1/cases/${id}`, { key: winner, body: forced });
      expect(resolved.json).toMatchObject({
        resolved_by: holder,
        assignee: null,
        claimed_until: null,
        warnings: [`analyst_id was ignored: this key belongs to ${holder}.`],
      });
    });

    it('a claim or comment under one Idempotency-Key happens once', async () => {
      const id = await heldPayment();
      const headers = { 'Idempotency-Key': `once-${id}` };
      const [first, again] = [await claim(ana, id, { headers }), await claim(ana, id, { headers })];
      expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
      const say = () => call('POST', `/v1/cases/${id}/comments`, { key: ana, headers, body: { text: 'Called.' } });
      const said = await say();
      expect([said.status, said.json]).toEqual([201, expect.objectContaining({ actor: 'ana.silva', text: 'Called.' })]);
      expect((await say()).text).toBe(said.text);
      expect((await call('GET', `/v1/cases/${id}`, { key: bo })).json.comments).toBe(1);
    });

    it('bulk over cases that are partly taken: nothing is decided twice, all of it is on the timelines', async () => {
      const ids = [await heldPayment(), await heldPayment(), await heldPayment(), await heldPayment()];
      const [taken = '', decided = ''] = ids;
      await claim(bo, taken);
      await call('PUT', `/v1/cases/${decided}`, { key: bo, body: { status: 'approved' } });
      const bulk = (key: string, headers: Record<string, string> = {}) =>
        call('POST', '/v1/cases/resolve', {
          key,
          headers,
          body: { case_ids: ids, status: 'rejected', notes: 'one ring' },
        });
      const headers = { 'Idempotency-Key': `bulk-${taken}` };
      const [byAna, byBo] = await Promise.all([bulk(ana, headers), bulk(bo)]);
      expect([byAna?.status, byBo?.status]).toEqual([200, 200]);
      const won = (reply: Reply | undefined): string[] =>
        reply?.json.results.flatMap((each: { case_id: string; status: string }) =>
          each.status === 'ok' ? [each.case_id] : [],
        );
      expect([...won(byAna), ...won(byBo)].sort()).toEqual(ids.filter((id) => id !== decided).sort());
      expect(won(byBo)).toContain(taken);
      expect(byAna?.json.results[1]).toEqual({ case_id: decided, status: 'case_not_open' });
      expect((await bulk(ana, headers)).text).toBe(byAna?.text);
      for (const id of ids) {
        const { entries } = (await call('GET', `/v1/cases/${id}/timeline`, { key: ana })).json;
        const decisions = entries.filter(({ kind }: { kind: string }) => ['resolved', 'corrected'].includes(kind));
        expect(decisions).toHaveLength(1);
        const who = id === decided || won(byBo).includes(id) ? 'bo' : 'ana.silva';
        expect(decisions[0]).toMatchObject({ actor: who, proven: true });
        expect(entries.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toEqual(['screened', 'case_opened']);
      }
    });
  });

  it('a chargeback after an approval stands beside it: on the timeline, and in the history of the user', async () => {
    const id = await heldPayment();
    await call('PUT', `/v1/cases/${id}`, { key: ana, body: { status: 'approved' } });
    const subject_id = id.replace('case', 'txn');
    const body = { subject_id, type: 'chargeback', source_id: id, reason_code: '10.4', network: 'visa' };
    const occurred_at = new Date().toISOString();
    const charged = await call('POST', '/v1/outcomes', { key: account.key, body: { ...body, occurred_at } });
    expect(charged.json).toMatchObject({ label: 'fraud', label_in_force: 'legitimate' });
    const { entries } = (await call('GET', `/v1/cases/${id}/timeline`, { key: ana })).json;
    expect(entries.slice(-2)).toMatchObject([
      { kind: 'resolved', actor: 'ana.silva', decision: 'allow' },
      { kind: 'outcome', outcome: 'chargeback', label: 'fraud', in_force: false, reason_code: '10.4' },
    ]);
    const { decisions } = (await call('GET', `/v1/decisions?user_id=desk-${serial}`, { key: ana })).json;
    expect(decisions.find((each: { subject_id: string }) => each.subject_id === subject_id)).toMatchObject({
      ...{ decision: 'allow', label_in_force: 'legitimate', outcomes: [{ type: 'chargeback', label: 'fraud' }] },
    });
  });

  it('tells whose key it is, what it may do, and when it was last used', async () => {
    expect((await call('GET', '/v1/me', { key: ana })).json).toMatchObject({
      account_id: account.account_id,
      person: 'ana.silva',
      role: 'analyst',
      permissions: ['read', 'cases', 'decisions', 'list_entries'],
    });
    const used = (await admin().accounts.listKeys(account.account_id)).find(({ person }) => person === 'ana.silva');
    expect(used?.last_used_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  });

  describe('roles over HTTP', () => {
    const routes = (ROUTES as readonly Route[]).filter(({ permission }) => permission !== 'none');
    const ask = ({ method, path, body }: Route, key: string) =>
      call(method, path.replace(/\{\w+\}/g, 'nobody'), { key, ...(body ? { body: {} } : {}) });

    it.each(ROLES)('%s: every route is refused exactly if its permission is missing', async (role: Role) => {
      const { key } = await createKey(admin(), account.account_id, null, { role });
      // Each kind of method of each permission once; the unit test has every route.
      const seen = new Set<string>();
      const sample = routes.filter(({ method, permission }) => {
        const isNew = !seen.has(`${method} ${permission}`);
        seen.add(`${method} ${permission}`);
        return isNew;
      });
      for (const route of sample) {
        const { status } = await ask(route, key);
        expect([route.operation, status === 403]).toEqual([
          route.operation,
          !isAllowed(role, route.permission as Permission),
        ]);
      }
    });

    it.each(ROLES)('%s: an expired key and a revoked one are refused everywhere', async (role: Role) => {
      const { key: expired } = await createKey(admin(), account.account_id, null, { role, lifeMs: 0 });
      const { key: revoked, record } = await createKey(admin(), account.account_id, null, { role });
      await revokeKey(admin(), account.account_id, record.key_id);
      for (const route of routes) {
        for (const key of [expired, revoked]) expect(codeOf(await ask(route, key))).toEqual([401, 'unauthorized']);
      }
    });

    it.each(ROLES)('%s: another account’s case is not found, or not even looked for', async (role: Role) => {
      const id = await heldPayment();
      const { account_id } = await newAccount('other');
      const { key } = await createKey(admin(), account_id, null, { role });
      for (const path of ['', '/timeline']) {
        expect(codeOf(await call('GET', `/v1/cases/${id}${path}`, { key }))).toEqual([404, 'not_found']);
      }
      const expected = isAllowed(role, 'cases') ? [404, 'not_found'] : [403, 'forbidden'];
      expect(codeOf(await claim(key, id))).toEqual(expected);
      expect(codeOf(await call('DELETE', `/v1/cases/${id}/claim`, { key }))).toEqual(expected);
    });
  });
});

describe('retention', () => {
  useTimeMachine();

  const payment = { user_id: 'u', amount: 10, currency: 'USD' };

  it('keeps a result for 90 days by the clock, and not a second longer', async () => {
    const { key } = await newAccount();
    const { transaction_id, decision_id } = (await call('POST', '/v1/transactions/screen', { key, body: payment }))
      .json;
    await pass(90 * DAY - 30 * SECOND);
    expect((await call('GET', `/v1/transactions/${transaction_id}`, { key })).status).toBe(200);
    expect((await call('GET', `/v1/decisions/${decision_id}`, { key })).status).toBe(200);
    await pass(31 * SECOND);
    for (const path of [`/v1/transactions/${transaction_id}`, `/v1/decisions/${decision_id}`]) {
      const gone = await call('GET', path, { key });
      expect([gone.status, gone.json.error.code]).toEqual([404, 'not_found']);
    }
    const review = await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'allow' } });
    expect(review.status).toBe(404);
  });

  it('remembers an Idempotency-Key for 24 hours', async () => {
    const { key } = await newAccount();
    const headers = { 'Idempotency-Key': randomUUID() };
    const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };
    const screen = () => call('POST', '/v1/transactions/screen', { key, body: payment, headers });
    const register = () => call('POST', '/v1/webhooks', { key, body: endpoint, headers });
    const [screened, registered] = [await screen(), await register()];
    await pass(24 * HOUR - 30 * SECOND);
    expect((await screen()).text).toBe(screened.text);
    expect((await register()).text).toBe(registered.text);
    await pass(31 * SECOND);
    expect((await screen()).json.transaction_id).not.toBe(screened.json.transaction_id);
    expect((await register()).json.webhook_id).not.toBe(registered.json.webhook_id);
  });
});
