import { addReferences } from '../../../shared/usecases/outcomes/add-references';
import { BORN_MS, caller, DAY_MS, FRAUD, world } from './outcomes-world';

it('refuses references for what is not a transaction of the account', async () => {
  const { deps, record } = await world();
  for (const id of [`txn_${'0'.repeat(26)}`, `evt_${record.ulid}`]) {
    await expect(addReferences(deps, caller, id, { references: ['x'] })).rejects.toMatchObject({ code: 'not_found' });
  }
});

it('adds references after the result is gone, to what is kept of it', async () => {
  const { link, pass, report, counted, table, record } = await world();
  pass(100 * DAY_MS);
  table.screenings.remove('acc_1', record.ulid);
  await link('ch_1');
  await report({ references: ['ch_1'] });
  expect(await counted()).toEqual(FRAUD);
  expect(table.screenings.get('acc_1', record.ulid)).toBeUndefined();
  expect(record.screened_at_ms).toBe(BORN_MS);
});
