import { isAllowed, type Permission, ROLES, type Role } from '../../shared/domain/accounts/role';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount, type Reply } from '../support/api';

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
