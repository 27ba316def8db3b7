import { addEntries, listEntries, removeEntry } from '../../../shared/usecases/lists/manage-entries';
import { CALLER, listWorld, NOW_MS } from '../../support/list-world';

const values = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `u${from + i}`);

it('adds many entries, and updates those that are there', async () => {
  const { put, add, deps } = listWorld();
  await put('vips');
  expect(await add('vips', ...values(120))).toEqual({ added: 120, updated: 0, rejected: [] });
  expect(await add('vips', ...values(60, 100))).toEqual({ added: 40, updated: 20, rejected: [] });
  expect((await deps.lists.find('acc_1', 'vips'))?.entries).toBe(160);
});

it('rejects entries by themselves, and takes a repeated value once', async () => {
  const { put, deps } = listWorld();
  await put('emails', { type: 'email' });
  const entries = [
    { value: 'ann@shop.example' },
    { value: 'nobody' },
    { value: 'ANN+x@shop.example', reason: 'last' },
    { value: 'bob@shop.example', expires_at: new Date(NOW_MS).toISOString() },
  ];
  expect(await addEntries(deps, CALLER, 'emails', { entries })).toEqual({
    added: 1,
    updated: 1,
    rejected: [
      { index: 1, message: 'value: must be an email address' },
      { index: 3, message: 'expires_at: must be in the future' },
    ],
  });
  const { entries: shown } = await listEntries(deps, CALLER, 'emails', { limit: 5 });
  expect(shown).toEqual([
    {
      value: 'ANN+x@shop.example',
      reason: 'last',
      expires_at: null,
      added_at: new Date(NOW_MS).toISOString(),
      added_by: 'key_1',
    },
  ]);
});

it('fills a list to its limit, and still changes what is on it', async () => {
  const { put, add } = listWorld();
  await put('domains', { type: 'email_domain' });
  const domains = (count: number, from = 0) => values(count, from).map((name) => `${name}.example`);
  await add('domains', ...domains(4_998));
  const { added, updated, rejected } = await add('domains', ...domains(5, 4_996));
  expect([added, updated]).toEqual([2, 2]);
  expect(rejected).toEqual([{ index: 4, message: 'the list already has 5,000 entries, which is the limit' }]);
});

it('records the answer that the last entries complete', async () => {
  const { put, deps, table } = listWorld();
  await put('vips');
  const record = (answer: object) => ({ scope: 's', body_hash: 'h', status: 200, body: JSON.stringify(answer) });
  const entries = values(100).map((value) => ({ value }));
  const answer = await addEntries(deps, CALLER, 'vips', { entries, record });
  expect((await table.answers.find('acc_1', 's', NOW_MS))?.body).toBe(JSON.stringify(answer));
  expect(answer.added).toBe(100);
});

it('records the answer even if nothing was good', async () => {
  const { put, deps, table } = listWorld();
  await put('vips');
  const record = (answer: object) => ({ scope: 's', body_hash: 'h', status: 200, body: JSON.stringify(answer) });
  await addEntries(deps, CALLER, 'vips', { entries: [{ value: '' }], record });
  expect(await table.answers.find('acc_1', 's', NOW_MS)).toBeDefined();
});

it('finds and removes an entry however its value is written', async () => {
  const { put, add, deps } = listWorld();
  await put('nets', { type: 'cidr' });
  await add('nets', '203.0.113.0/24');
  const part = { limit: 5, value: '203.0.113.99/24' };
  expect((await listEntries(deps, CALLER, 'nets', part)).entries).toMatchObject([{ value: '203.0.113.0/24' }]);
  expect((await listEntries(deps, CALLER, 'nets', { limit: 5, value: '198.51.100.0/24' })).entries).toEqual([]);
  await expect(listEntries(deps, CALLER, 'nets', { limit: 5, value: 'x' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await removeEntry(deps, CALLER, 'nets', '203.0.113.1/24');
  for (const value of ['203.0.113.0/24', 'nonsense']) {
    await expect(removeEntry(deps, CALLER, 'nets', value)).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(removeEntry(deps, CALLER, 'none', 'x')).rejects.toMatchObject({ code: 'not_found' });
});

it('stops when the list is deleted under it', async () => {
  const { put, add, deps } = listWorld();
  await put('vips');
  const gone = { ...deps, entries: { ...deps.entries, put: async () => 'gone' as const } };
  await expect(addEntries(gone, CALLER, 'vips', { entries: [{ value: 'ann' }] })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await add('vips', 'ann')).added).toBe(1);
});
