import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { call, newAccount, type Reply } from '../support/api';
import { samplesOf } from '../support/docs/readme-samples';
import { localRun } from '../support/local-run';

async function merchant() {
  const { key } = await newAccount();
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    call(method, path, { key, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });
  return {
    ask,
    put: (name: string, body: object) => ask('PUT', `/v1/lists/${name}`, body),
    add: (name: string, entries: readonly object[], headers?: Record<string, string>) =>
      ask('POST', `/v1/lists/${name}/entries`, { entries }, headers),
    pay: async (over: object = {}) =>
      (
        await ask('POST', '/v1/transactions/screen', {
          user_id: 'ann',
          amount: 25,
          currency: 'EUR',
          ip_address: '91.0.0.1',
          device_fingerprint: 'phone',
          ...over,
        })
      ).json,
  };
}

it('a list is created, changed, shown and deleted', async () => {
  const { ask, put } = await merchant();
  const created = await put('vips', { type: 'user_id', effect: 'allow', note: 'ours' });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({
    name: 'vips',
    type: 'user_id',
    effect: 'allow',
    note: 'ours',
    entries: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const changed = await put('vips', { type: 'user_id', effect: 'none' });
  expect([changed.status, changed.json.effect, changed.json.note]).toEqual([200, 'none', null]);
  const fixed = await put('vips', { type: 'email', effect: 'none' });
  expect([fixed.status, fixed.json.error.code]).toEqual([409, 'list_type_fixed']);
  const faults = await put('vips', { type: 'colour', effect: 'maybe' });
  expect(faults.json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual(['effect', 'type']);
  expect((await put('Vips', { type: 'user_id', effect: 'none' })).json.error.details[0].field).toBe('name');
  expect((await ask('GET', '/v1/lists')).json).toEqual({ lists: [changed.json] });
  expect((await ask('GET', '/v1/lists/vips')).json).toEqual(changed.json);
  const other = await merchant();
  expect((await other.ask('GET', '/v1/lists/vips')).status).toBe(404);
  expect((await other.ask('DELETE', '/v1/lists/vips')).status).toBe(404);
  expect((await ask('DELETE', '/v1/lists/vips')).status).toBe(204);
  expect((await ask('GET', '/v1/lists/vips')).status).toBe(404);
  expect((await ask('PATCH', '/v1/lists/vips')).status).toBe(405);
});

it('a thousand entries in one request: good ones count, a repeat changes nothing, and all can be paged through', async () => {
  const { ask, put, add } = await merchant();
  await put('cards', { type: 'card_fingerprint', effect: 'block' });
  const entries = Array.from({ length: 1_000 }, (_, i) => ({
    value: i === 500 ? '' : `card-${i}`,
    expires_at: '2099-01-01T00:00:00Z',
    reason: 'reported by the processor',
  }));
  const key = { 'Idempotency-Key': 'import-1' };
  const added = await add('cards', entries, key);
  expect([added.status, added.json]).toEqual([
    200,
    { added: 999, updated: 0, rejected: [{ index: 500, message: 'value: must have 1 to 512 characters' }] },
  ]);
  const again = await add('cards', entries, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([added.text, 'true']);
  expect((await ask('GET', '/v1/lists/cards')).json.entries).toBe(999);
  const first = (await ask('GET', '/v1/lists/cards/entries?limit=100')).json;
  const second = (await ask('GET', `/v1/lists/cards/entries?limit=100&cursor=${first.next_cursor}`)).json;
  const values = [...first.entries, ...second.entries].map(({ value }) => value);
  expect(new Set(values).size).toBe(200);
  expect((await ask('GET', '/v1/lists/cards/entries?cursor=!')).status).toBe(400);
  expect((await add('cards', [...entries, { value: 'x' }])).status).toBe(400);
});

it('lists decide: a canonical email, a network that is only reported, and nobody else is affected', async () => {
  const shop = await merchant();
  const other = await merchant();
  await shop.put('emails', { type: 'email', effect: 'review' });
  await shop.put('office', { type: 'cidr', effect: 'none' });
  await shop.put('blocked', { type: 'user_id', effect: 'block' });
  await shop.add('emails', [{ value: 'Ann.Lee@gmail.com' }]);
  await shop.add('office', [{ value: '203.0.113.0/24' }]);

  expect(await shop.pay({ custom_attributes: { contact_email: 'annlee+shop@googlemail.com' } })).toMatchObject({
    decision: 'review',
    decided_by: { kind: 'list', name: 'emails' },
    lists: ['emails'],
    case_id: expect.any(String),
  });
  expect(await shop.pay({ ip_address: '203.0.113.77' })).toMatchObject({
    decided_by: { kind: 'score', name: null },
    lists: ['office'],
  });
  // An exact entry is on the entity itself: it works at once, and so does its end.
  expect((await shop.pay({ user_id: 'bob' })).lists).toEqual([]);
  await shop.add('blocked', [{ value: ' bob' }]);
  const blocked = await shop.pay({ user_id: 'bob' });
  expect(blocked).toMatchObject({ decision: 'block', decided_by: { kind: 'list', name: 'blocked' }, case_id: null });
  expect(blocked.risk_score).toBeLessThan(60);
  expect((await other.pay({ user_id: 'bob' })).lists).toEqual([]);
  expect((await shop.ask('GET', `/v1/transactions/${blocked.transaction_id}`)).json).toEqual(blocked);
  expect((await shop.ask('DELETE', '/v1/lists/blocked/entries/bob')).status).toBe(204);
  expect((await shop.pay({ user_id: 'bob' })).lists).toEqual([]);
  expect((await shop.ask('DELETE', '/v1/lists/blocked/entries/bob')).status).toBe(404);

  expect((await shop.ask('GET', '/v1/lists/office/entries?value=203.0.113.9/24')).json.entries).toHaveLength(1);
  expect((await shop.ask('DELETE', '/v1/lists/office/entries/203.0.113.0%2F24')).status).toBe(204);
  expect((await shop.ask('GET', '/v1/lists/office')).json.entries).toBe(0);
});

it('an entry that expires while requests run counts until that instant', async () => {
  const { put, add, pay } = await merchant();
  await put('blocked', { type: 'device_fingerprint', effect: 'block' });
  const expiresAt = Date.now() + 2_000;
  await add('blocked', [{ value: 'phone', expires_at: new Date(expiresAt).toISOString() }]);
  const seen = { before: 0, after: 0 };
  while (seen.after === 0) {
    const { lists, screened_at } = await pay();
    const isBefore = Date.parse(screened_at) < expiresAt;
    expect(lists).toEqual(isBefore ? ['blocked'] : []);
    seen[isBefore ? 'before' : 'after'] += 1;
  }
  expect(seen.before).toBeGreaterThan(0);
});

it('the samples of the guide do what it says', async () => {
  const { key } = await newAccount();
  for (const { source } of samplesOf(join(__dirname, '../../docs/guide/lists.md'), ['sh'])) {
    const env = { ...process.env, API: localRun().url, KEY: key };
    const { status, stdout } = spawnSync('sh', ['-ec', source], { env, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('"added":1')]);
  }
  const body = { user_id: 'u', amount: 5, currency: 'EUR', custom_attributes: { card_fingerprint: 'fp_7d1e' } };
  const { json } = await call('POST', '/v1/transactions/screen', { key, body });
  expect(json).toMatchObject({ decision: 'block', decided_by: { kind: 'list', name: 'stolen-cards' } });
});
