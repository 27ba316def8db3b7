import { idempotencyClaim } from '../../../shared/domain/idempotency';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { screenEvent } from '../../../shared/usecases/screening/screen-event';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';
import { screenTransaction } from '../../../shared/usecases/screening/screen-transaction';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/payment';

const NOW = Date.UTC(2026, 2, 1, 12);
const caller = callerOf('acc_1');
const body = { user_id: 'ann', amount: 25, currency: 'EUR', device_fingerprint: 'phone' };
const claim = idempotencyClaim('POST', '/v1/transactions/screen', 'key', body);

function world() {
  const table = memoryTable();
  const deps: ScreenSubjectDeps = {
    ...SCREENING_STAND_INS,
    clock: { now: () => NOW },
    newUlid,
    entities: table.entities,
    claims: table.claims,
    screenings: table.screenings,
  };
  return { table, deps };
}

it('keeps the trace of the request, and the first one of a repeat', async () => {
  const { table, deps } = world();
  const [first, second] = ['S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ', 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AA'];
  await screenTransaction(deps, { ...caller, trace: first }, body, claim);
  expect((await screenTransaction(deps, { ...caller, trace: second }, body, claim)).replayed).toBe(true);
  expect(table.screenings.all().map(({ trace }) => trace)).toEqual([first]);
});

it('screens the body as a payment that succeeded', async () => {
  const { table, deps } = world();
  const { record, replayed } = await screenTransaction(deps, caller, body);
  expect(replayed).toBe(false);
  expect(record).toMatchObject({ subject_type: 'transaction', user_id: 'ann', amount: 25, currency: 'EUR' });
  expect(record).not.toHaveProperty('event_type');
  expect(table.screenings.all()).toEqual([record]);
  const profile = await table.entities.profile('acc_1', 'user', record.entities[0] ?? '', NOW);
  expect(profile?.transactions.total).toBe(1);
});

it('does not let a body choose what it is screened as', async () => {
  const { deps } = world();
  const sly = { ...body, subject_type: 'event', action: 'login', outcome: 'failed' };
  expect((await screenTransaction(deps, caller, sly)).record).toMatchObject({ subject_type: 'transaction' });
});

it('answers a repeat with the transaction that the first request stored', async () => {
  const { table, deps } = world();
  const { record } = await screenTransaction(deps, caller, body, claim);
  expect(await screenTransaction(deps, caller, body, claim)).toEqual({ record, replayed: true });
  expect(table.screenings.all()).toEqual([record]);
});

it('never answers with an event, should a claim lead to one', async () => {
  const { deps } = world();
  const { record } = await screenEvent(deps, caller, { event_type: 'login', user_id: 'ann' }, claim);
  await expect(screenTransaction(deps, caller, body, claim)).rejects.toThrow(`led to event ${record.ulid}`);
});

it('refuses what it could not store', async () => {
  const { table, deps } = world();
  const screenings = interpose(
    deps.screenings,
    failing((call) => (call === 'insert' ? 'before' : undefined)),
  );
  const refused = screenTransaction({ ...deps, screenings }, caller, body);
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  expect(table.screenings.all()).toEqual([]);
});
