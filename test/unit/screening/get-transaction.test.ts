import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { getTransaction } from '../../../shared/usecases/screening/get-transaction';
import { failing, interpose } from '../../support/memory/interpose';
import { callerOf } from '../../support/payment';
import { BORN_MS, storedScreening } from './stored-screening';

const caller = callerOf('acc_1');

it('returns the screening of a transaction as it is stored', async () => {
  const { deps, record, ulid } = await storedScreening();
  expect(await getTransaction(deps, caller, `txn_${ulid}`)).toEqual(record);
});

it('returns it for exactly 90 days', async () => {
  const [last, over] = [await storedScreening({}, RETENTION_MS - 1), await storedScreening({}, RETENTION_MS)];
  expect(await getTransaction(last.deps, caller, `txn_${last.ulid}`)).toEqual(last.record);
  await expect(getTransaction(over.deps, caller, `txn_${over.ulid}`)).rejects.toMatchObject({ code: 'not_found' });
});

it('does not show an event as a transaction, although they could share an id', async () => {
  const { deps, ulid } = await storedScreening({ subject_type: 'event', event_type: 'login' });
  await expect(getTransaction(deps, caller, `txn_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
});

it('gives another account the same answer as for a transaction that never was', async () => {
  const { deps, ulid } = await storedScreening();
  const refusal = (who: typeof caller, id: string) => getTransaction(deps, who, id).catch((error: Error) => error);
  const unknown = await refusal(caller, `txn_${newUlid(BORN_MS)}`);
  expect(unknown).toMatchObject({ code: 'not_found' });
  expect(await refusal(callerOf('acc_2'), `txn_${ulid}`)).toEqual(unknown);
});

it('takes an id of another kind for no transaction; a table out of reach for a failure', async () => {
  const { table, deps, ulid } = await storedScreening();
  const screenings = interpose(
    table.screenings,
    failing(() => 'before'),
  );
  for (const id of [`dec_${ulid}`, `evt_${ulid}`, `case_${ulid}`, ulid, ''])
    await expect(getTransaction({ ...deps, screenings }, caller, id)).rejects.toMatchObject({ code: 'not_found' });
  const down = getTransaction({ ...deps, screenings }, caller, `txn_${ulid}`);
  await expect(down).rejects.toMatchObject({ code: 'unavailable' });
});
