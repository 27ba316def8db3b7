import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { getDecision } from '../../../shared/usecases/screening/get-decision';
import { failing, interpose } from '../../support/memory/interpose';
import { callerOf } from '../../support/payment';
import { BORN_MS, storedScreening } from './stored-screening';

const caller = callerOf('acc_1');

it('finds a decision by its own id, and by that of its transaction', async () => {
  const { deps, record, ulid } = await storedScreening();
  expect(await getDecision(deps, caller, `dec_${ulid}`)).toEqual(record);
  expect(await getDecision(deps, caller, `txn_${ulid}`)).toEqual(record);
});

it('finds the decision on an event by the id of the event, not of a transaction', async () => {
  const { deps, record, ulid } = await storedScreening({ subject_type: 'event', event_type: 'login' });
  expect(await getDecision(deps, caller, `dec_${ulid}`)).toEqual(record);
  expect(await getDecision(deps, caller, `evt_${ulid}`)).toEqual(record);
  await expect(getDecision(deps, caller, `txn_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
});

it('shows what a review has made of the decision since', async () => {
  const { table, deps, record, ulid } = await storedScreening();
  const review = {
    decision: 'block',
    analyst_id: 'ann',
    notes: null,
    reviewed_at: '2026-03-01T00:00:30.000Z',
  } as const;
  table.screenings.replace('acc_1', { ...record, review, review_count: 1 });
  expect(await getDecision(deps, caller, `dec_${ulid}`)).toMatchObject({ automated_decision: 'allow', review });
});

it('returns a decision for exactly 90 days', async () => {
  const [last, over] = [await storedScreening({}, RETENTION_MS - 1), await storedScreening({}, RETENTION_MS)];
  expect(await getDecision(last.deps, caller, `dec_${last.ulid}`)).toEqual(last.record);
  await expect(getDecision(over.deps, caller, `dec_${over.ulid}`)).rejects.toMatchObject({ code: 'not_found' });
});

it('gives another account the same answer as for a decision that never was', async () => {
  const { deps, ulid } = await storedScreening();
  const refusal = (who: typeof caller, id: string) => getDecision(deps, who, id).catch((error: Error) => error);
  const unknown = await refusal(caller, `dec_${newUlid(BORN_MS)}`);
  expect(unknown).toMatchObject({ code: 'not_found' });
  expect(await refusal(callerOf('acc_2'), `dec_${ulid}`)).toEqual(unknown);
});

it('takes the id of a case, or no id at all, for no decision; a table out of reach for a failure', async () => {
  const { table, deps, ulid } = await storedScreening();
  const screenings = interpose(
    table.screenings,
    failing(() => 'before'),
  );
  for (const id of [`case_${ulid}`, ulid, `dec_${ulid}/`, 'constructor', ''])
    await expect(getDecision({ ...deps, screenings }, caller, id)).rejects.toMatchObject({ code: 'not_found' });
  const down = getDecision({ ...deps, screenings }, caller, `dec_${ulid}`);
  await expect(down).rejects.toMatchObject({ code: 'unavailable' });
});
