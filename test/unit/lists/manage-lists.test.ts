import { deleteList, getList, getLists, putList } from '../../../shared/usecases/lists/manage-lists';
import { CALLER, listWorld, NOW_MS } from '../../support/list-world';

const AT = new Date(NOW_MS).toISOString();

it('creates a list, then changes it', async () => {
  const { put, time, deps } = listWorld();
  const created = await put('vips', { effect: 'allow', note: 'ours' });
  expect(created).toMatchObject({
    isNew: true,
    list: { name: 'vips', type: 'user_id', effect: 'allow', note: 'ours', entries: 0, created_at: AT, updated_at: AT },
  });
  time.nowMs += 1_000;
  const changed = await put('vips', { effect: 'none' });
  const later = new Date(NOW_MS + 1_000).toISOString();
  expect(changed).toMatchObject({
    isNew: false,
    list: { effect: 'none', note: null, created_at: AT, updated_at: later },
  });
  expect(await getLists(deps, CALLER)).toEqual([changed.list]);
});

it('refuses another type, a bad name and a list too many', async () => {
  const { put } = listWorld();
  await put('vips');
  await expect(put('vips', { type: 'email' })).rejects.toMatchObject({ code: 'list_type_fixed' });
  await expect(put('Vips')).rejects.toMatchObject({ code: 'invalid_request', details: [{ field: 'name' }] });
  for (let i = 1; i < 50; i++) await put(`l${i}`);
  await expect(put('one-more')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(put('vips', { effect: 'none' })).resolves.toMatchObject({ isNew: false });
});

it('of two who create the same list, one changes what the other created', async () => {
  const { deps } = listWorld();
  const both = ['block', 'allow'] as const;
  const puts = await Promise.all(both.map((effect) => putList(deps, CALLER, 'vips', { type: 'user_id', effect })));
  expect(puts.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
});

it('deletes a list with its entries, for its account only', async () => {
  const { put, add, deps, table } = listWorld();
  const { list } = await put('vips');
  await add('vips', 'ann');
  await expect(deleteList(deps, { ...CALLER, account_id: 'acc_2' }, 'vips')).rejects.toMatchObject({
    code: 'not_found',
  });
  await deleteList(deps, CALLER, 'vips');
  await expect(getList(deps, CALLER, 'vips')).rejects.toMatchObject({ code: 'not_found' });
  expect((await table.listEntries.page('acc_1', list, { limit: 5 })).entries).toEqual([]);
  await expect(deleteList(deps, CALLER, 'vips')).rejects.toMatchObject({ code: 'not_found' });
});

it('is done once the list is gone, although entries could not be removed', async () => {
  const { put, deps } = listWorld();
  await put('vips');
  const purge = () => Promise.reject(new Error('throttled'));
  await deleteList({ ...deps, entries: { ...deps.entries, purge } }, CALLER, 'vips');
  expect(await getLists(deps, CALLER)).toEqual([]);
});

it('says who changed what: the person, if the key has one', async () => {
  const { deps, table } = listWorld();
  await putList(deps, { ...CALLER, person: 'ana.silva' }, 'vips', { type: 'user_id', effect: 'block' });
  expect(await table.lists.changes('acc_1', 5)).toMatchObject([
    { kind: 'created', name: 'vips', changed_by: 'ana.silva', changed_at: AT },
  ]);
});
