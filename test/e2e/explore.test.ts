import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type EntityRef, entityNames, pseudonymOf } from '../../shared/domain/entities/entity-ref';
import { DUE_INDEX, HISTORY_INDEX } from '../../shared/store/keys';
import { traceStore } from '../../shared/store/personal-data/trace-store';
import { replayErasures } from '../../shared/usecases/personal-data/replay-erasures';
import { admin, call, newAccount } from '../support/api';
import { everyItem, foundIn, foundInLogs } from '../support/audits/person-traces';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';
import { emptyTable } from '../support/stores/empty-table';
import { longNotes } from '../support/stores/long-notes';

let key: string;
const newKey = async () => {
  const account = await newAccount();
  key = account.key;
  return account;
};
beforeEach(newKey);

let serial = 0;
const screen = async (user_id: string, from: object = {}) => {
  const body = { user_id, amount: 25, currency: 'EUR', ...from };
  return (await call('POST', '/v1/transactions/screen', { key, body })).json;
};
/** A screening that ends in review: a fresh signup that spends a lot at once. */
async function held(user_id: string, amount = 1500): Promise<string> {
  const where = { device_fingerprint: `hasty-${++serial}`, ip_address: `52.94.76.${(serial % 250) + 1}` };
  await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id, ...where } });
  const { case_id } = await screen(user_id, { amount, currency: 'USD', ...where });
  expect(case_id).toMatch(/^case_/);
  return case_id;
}
const decisions = (query: string) => call('GET', `/v1/decisions?${query}`, { key });
const cases = async (query: string) => (await call('GET', `/v1/cases?${query}`, { key })).json;
const idsOf = (page: { cases: { case_id: string }[] }): string[] => page.cases.map(({ case_id }) => case_id);

describe('GET /v1/decisions', () => {
  it("lists a user's decisions newest first, as GET of each shows them", async () => {
    const made = [await screen('ann'), await screen('ann'), await screen('ann')].reverse();
    await screen('bob');
    const first = await decisions('user_id=ann&limit=2');
    expect(first.status).toBe(200);
    expect(Object.keys(first.json)).toEqual(['decisions', 'next_cursor']);
    const newest = await call('GET', `/v1/decisions/${made[0].decision_id}`, { key });
    expect(first.json.decisions[0]).toEqual(newest.json);
    const second = await decisions(`user_id=ann&limit=2&cursor=${first.json.next_cursor}`);
    expect(second.json.next_cursor).toBeNull();
    const ids = [...first.json.decisions, ...second.json.decisions].map(({ decision_id }) => decision_id);
    expect(ids).toEqual(made.map(({ decision_id }) => decision_id));
    expect((await decisions(`user_id=ann&start_date=${made[0].screened_at}`)).json.decisions).toHaveLength(1);
  });

  it('lists what was held, and what a person blocked', async () => {
    const case_id = await held('carl');
    expect((await decisions('decision=review')).json.decisions).toMatchObject([{ case_id, decision: 'review' }]);
    await call('PUT', `/v1/cases/${case_id}`, { key, body: { status: 'rejected' } });
    expect((await decisions('decision=review')).json.decisions).toEqual([]);
    expect((await decisions('decision=block')).json.decisions).toMatchObject([{ case_id, decision: 'block' }]);
  });

  it.each([
    ['', 'user_id'],
    ['decision=allow', 'user_id'],
    ['user_id=ann&cursor=abc', 'cursor'],
    ['user_id=ann&limit=0', 'limit'],
    ['decision=perhaps', 'decision'],
  ])('refuses ?%s and names %s', async (query, field) => {
    const { status, json } = await decisions(query);
    expect({ status, fields: json.error.details.map((fault: { field: string }) => fault.field) }).toEqual({
      status: 400,
      fields: [field],
    });
  });
});

describe('GET /v1/cases as a search', () => {
  it('finds by user and sorts by amount, in pages by cursor', async () => {
    const [small, large] = [await held('dora', 1200), await held('dora', 1900)];
    await held('emil', 1500);
    const first = await cases('user_id=dora&sort=amount&limit=1');
    expect(first).toMatchObject({ total: null, offset: 0, has_more: true });
    const second = await cases(`user_id=dora&sort=amount&limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...idsOf(first), ...idsOf(second)]).toEqual([large, small]);
    expect(idsOf(await cases('sort=expires&user_id=dora'))).toEqual([small, large]);
    expect(idsOf(await cases('signal=no_such_signal'))).toEqual([]);
    expect(idsOf(await cases('max_score=1'))).toEqual([]);
    expect(await cases('status=open')).toMatchObject({ total: 3, has_more: false });
    expect(Object.keys(await cases('status=open'))).not.toContain('next_cursor');
    const refused = await call('GET', '/v1/cases?user_id=dora&offset=1', { key });
    expect(refused.json.error.details).toEqual([{ field: 'offset', message: expect.stringContaining('cursor') }]);
  });
});

describe('GET /v1/users/{user_id}/links', () => {
  it('leads from a user over a shared device to another, who was confirmed as a fraudster', async () => {
    const shared = { device_fingerprint: `shared-${++serial}` };
    await screen('fred', { ...shared, ip_address: '91.0.0.7' });
    const { decision_id } = await screen('gina', { ...shared, ip_address: '91.0.0.8' });
    await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'block' } });
    const read = async () => (await call('GET', '/v1/users/fred/links', { key })).json;
    // Links trail the stream.
    const deadline = Date.now() + patient(10_000);
    let graph = await read();
    while (graph.nodes.length < 4 && Date.now() < deadline) graph = await read();
    const { nodes, edges, truncated } = graph;
    expect(nodes).toMatchObject([
      { type: 'user', label: 'fred', confirmed_fraud: false },
      { type: 'device', confirmed_fraud: true, users: 2 },
      { type: 'ip_address', confirmed_fraud: false, users: 1 },
      { type: 'user', confirmed_fraud: true },
    ]);
    expect(edges).toHaveLength(3);
    expect(truncated).toBe(false);
    expect((await call('GET', '/v1/users/nobody/links', { key })).status).toBe(404);
  });
});

describe('personal data', () => {
  async function eraseNow(): Promise<void> {
    const schedules = (await (await fetch(`${localRun().url}/_local/schedules`)).json()) as string[];
    const name = schedules.find((rule) => rule.includes('ErasuresDue')) ?? '';
    const run = await fetch(`${localRun().url}/_local/schedules/${encodeURIComponent(name)}`, { method: 'POST' });
    expect(run.status).toBe(200);
  }

  it('exports a person, erases them from every kind of item, and keeps a record that names nobody', async () => {
    const { account_id } = await newKey();
    const user_id = `erin-${++serial}-${account_id}`;
    const own = {
      device_fingerprint: `erins-device-${serial}`,
      custom_attributes: { email: `erin${serial}@example.com` },
    };
    const bystander = `bystander-${serial}`;
    await call('POST', '/v1/events', {
      key,
      body: { event_type: 'signup', user_id, ip_address: '52.94.76.9', ...own },
    });
    const order = `order-${user_id}`;
    const hook = { url: 'https://receiver.example/hooks', events: ['case.created', 'decision.reviewed'] };
    expect((await call('POST', '/v1/webhooks', { key, body: hook })).status).toBe(201);
    const payment = { amount: 1500, ip_address: '52.94.76.9', references: [order], ...own };
    const { case_id, decision_id } = await screen(user_id, payment);
    const dispute = { reference: order, type: 'early_fraud_warning', source_id: `warning-${user_id}` };
    const occurred_at = new Date().toISOString();
    const warned = await call('POST', '/v1/outcomes', { key, body: { ...dispute, occurred_at } });
    expect(warned.json).toMatchObject({ applied: true });
    await call('POST', `/v1/cases/${case_id}/comments`, { key, body: { text: `Spoke to ${user_id}.` } });
    await screen(user_id, { ip_address: '91.0.0.9' });
    await screen(bystander, { ip_address: '91.0.0.9' });
    await call('PUT', '/v1/lists/vips', { key, body: { type: 'user_id', effect: 'none' } });
    await call('POST', '/v1/lists/vips/entries', { key, body: { entries: [{ value: user_id, reason: 'A victim' }] } });
    const headers = { 'Idempotency-Key': `review-${serial}` };
    await call('POST', `/v1/decisions/${decision_id}/review`, {
      key,
      headers,
      body: { decision: 'block', notes: longNotes() },
    });
    const deadline = Date.now() + patient(10_000);
    const linked = async () => (await call('GET', `/v1/users/${bystander}/links`, { key })).json.nodes.length;
    while ((await linked()) < 3 && Date.now() < deadline);

    const forgotten = await call('POST', `/v1/users/${user_id}/forget-labels`, { key, body: { reason: 'a victim' } });
    expect(forgotten.json).toMatchObject({ forgotten: { users: 1 } });
    const exported = await call('POST', `/v1/users/${user_id}/export`, { key });
    expect(exported.json).toMatchObject({
      user_id,
      profile: { outcomes: { confirmed_fraud: 0 } },
      cases: expect.arrayContaining([expect.objectContaining({ case_id })]),
      comments: [{ case_id, text: `Spoke to ${user_id}.` }],
      list_entries: [{ list: 'vips', value: user_id, reason: 'A victim' }],
      next_cursor: null,
    });
    expect(exported.json.decisions).toHaveLength(3);
    const warnedOf = exported.json.decisions.find((each: { decision_id: string }) => each.decision_id === decision_id);
    expect(warnedOf).toMatchObject({ outcomes: [{ type: 'early_fraud_warning', label: 'fraud' }] });

    const pseudonyms = await admin().identity.pseudonyms();
    const names = entityNames(account_id, pseudonyms);
    const hashes = [
      names.user(user_id),
      names.device(own.device_fingerprint),
      names.attribute('email', own.custom_attributes.email),
    ].map((ref) => pseudonymOf(ref as EntityRef));
    const values = [user_id, own.device_fingerprint, own.custom_attributes.email, order, dispute.source_id];
    const outside = ['reference', 'source'].map((kind, at) =>
      pseudonyms.of(account_id, kind, [order, dispute.source_id][at] ?? ''),
    );
    const { table } = admin();
    // One message is stored with its delivery, the other is too large.
    const isOf = (kind: string, item: Awaited<ReturnType<typeof everyItem>>[number]) =>
      item.pk?.S?.startsWith(`${kind}#${account_id}`) === true;
    const told = async () => {
      const items = await everyItem(table);
      const packed = items.filter((item) => isOf('DELIVERIES', item) && item.packed !== undefined);
      return packed.length > 0 && items.some((item) => isOf('MESSAGE', item));
    };
    while (!(await told()) && Date.now() < deadline);
    const before = await everyItem(table);
    const kinds = new Set(before.flatMap(({ pk }) => (pk?.S?.includes(account_id) ? pk.S.split('#')[0] : [])));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'SUBJECT',
        'CASES',
        'ENTITY',
        'LINKS',
        'KEPT',
        'SOURCE',
        'REFERENCE',
        'LISTENTRY',
        'MESSAGE',
        'DELIVERIES',
      ]),
    );
    expect(foundIn(before, [user_id, ...hashes, ...outside])).toEqual([user_id, ...hashes, ...outside]);
    const backup = await emptyTable();
    const owned = before.filter((item) => JSON.stringify(item).includes(account_id));
    for (const Item of owned) await backup.client.send(new PutItemCommand({ TableName: backup.name, Item }));

    const asked = await call('DELETE', `/v1/users/${user_id}`, { key });
    expect(asked.status).toBe(202);
    expect((await call('GET', `/v1/users/${user_id}/risk-profile`, { key })).status).toBe(404);
    await eraseNow();
    const erasure = await call('GET', `/v1/erasures/${asked.json.erasure_id}`, { key });
    expect(erasure.json).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
    expect(erasure.json.erased).toMatchObject({ result: expect.any(Number), link: expect.any(Number) });

    const traces = [...values, ...hashes, ...outside];
    expect(foundIn(await everyItem(table), traces)).toEqual([]);
    for (const index of [HISTORY_INDEX, DUE_INDEX]) expect(foundIn(await everyItem(table, index), traces)).toEqual([]);
    expect(foundInLogs(process.env.LOCAL_RUN_DIR ?? '', traces)).toEqual([]);

    // A backup from before knows them all again, until the erasures are replayed on it.
    expect(foundIn(await everyItem(backup), hashes)).toEqual(hashes);
    const restored = traceStore(backup);
    await replayErasures({
      clock: { now: Date.now },
      remembered: admin().tracesIn(undefined).remembered,
      pages: (lookup, nowMs) => restored.pages(lookup, pseudonyms, nowMs),
      erase: restored.erase,
      eraseIfAlone: restored.eraseIfAlone,
    });
    expect(foundIn(await everyItem(backup), traces)).toEqual([]);
    expect(foundIn(await everyItem(backup), [pseudonymOf(names.user(bystander))])).toHaveLength(1);

    expect((await call('GET', `/v1/decisions/${decision_id}`, { key })).status).toBe(404);
    expect((await call('GET', `/v1/cases/${case_id}`, { key })).status).toBe(404);
    expect((await call('GET', '/v1/lists/vips', { key })).json).toMatchObject({ entries: 0 });
    // The tallies have forgotten their cases, too.
    const listed = await cases('');
    expect(listed).toMatchObject({ total: listed.cases.length });
    expect(listed.cases.filter((each: { user_id: string }) => each.user_id === user_id)).toEqual([]);
    expect((await decisions(`user_id=${bystander}`)).json.decisions).toHaveLength(1);
    expect((await call('GET', `/v1/erasures/${asked.json.erasure_id}`, { key: (await newAccount()).key })).status).toBe(
      404,
    );
  });
});
