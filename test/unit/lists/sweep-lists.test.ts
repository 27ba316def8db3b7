import { addEntries } from '../../../shared/usecases/lists/manage-entries';
import { sweepLists } from '../../../shared/usecases/lists/sweep-lists';
import { CALLER, listWorld, NOW_MS } from '../../support/list-world';

it('removes entries that have expired, with their flags, and counts the rest', async () => {
  const { put, deps, time, table } = listWorld();
  await put('vips');
  const soon = new Date(NOW_MS + 1_000).toISOString();
  const entries = [...Array.from({ length: 90 }, (_, i) => ({ value: `u${i}`, expires_at: soon })), { value: 'ann' }];
  await addEntries(deps, CALLER, 'vips', { entries });
  expect(await sweepLists(deps, Number.POSITIVE_INFINITY)).toEqual({ removed: 0 });
  time.nowMs += 1_000;
  expect(await sweepLists(deps, Number.POSITIVE_INFINITY)).toEqual({ removed: 90 });
  expect((await deps.lists.find('acc_1', 'vips'))?.entries).toBe(1);
  expect((await table.lists.changes('acc_1', 1))[0]).toMatchObject({ changed_by: 'expiry', kind: 'entries' });
});

it('finishes what a deletion left', async () => {
  const { put, add, deps, table } = listWorld();
  const { list } = await put('vips');
  await add('vips', 'ann');
  await table.lists.remove('acc_1', list, { ulid: 'x', by: 'ana', nowMs: NOW_MS });
  await sweepLists(deps, Number.POSITIVE_INFINITY);
  expect((await table.listEntries.page('acc_1', list, { limit: 5 })).entries).toEqual([]);
});

it('stops when its time is over', async () => {
  const { deps } = listWorld();
  const due = () => Promise.reject(new Error('not asked'));
  const late = { ...deps, entries: { ...deps.entries, due } };
  expect(await sweepLists(late, NOW_MS)).toEqual({ removed: 0 });
});
