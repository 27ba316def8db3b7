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
const body = { event_type: 'login', user_id: 'ann', device_fingerprint: 'phone' } as const;
const claim = idempotencyClaim('POST', '/v1/events', 'key', body);

function world() {
  const table = memoryTable();
  const outcomes: string[] = [];
  const deps: ScreenSubjectDeps = {
    ...SCREENING_STAND_INS,
    clock: { now: () => NOW },
    newUlid,
    entities: {
      ...table.entities,
      recordAttempt: (account, ref, attempt) => {
        outcomes.push(`${attempt.action} ${attempt.outcome}`);
        return table.entities.recordAttempt(account, ref, attempt);
      },
    },
    claims: table.claims,
    screenings: table.screenings,
  };
  return { table, deps, outcomes };
}

it('screens the body as an event of its type, without an amount', async () => {
  const { table, deps } = world();
  const { record, replayed } = await screenEvent(deps, caller, body);
  expect(replayed).toBe(false);
  expect(record).toMatchObject({ subject_type: 'event', event_type: 'login', user_id: 'ann' });
  expect(record).not.toHaveProperty('amount');
  expect(table.screenings.all()).toEqual([record]);
});

it('takes an event for one that succeeded unless it says otherwise', async () => {
  const { deps, outcomes } = world();
  await screenEvent(deps, caller, body);
  await screenEvent(deps, caller, { ...body, outcome: 'failed' });
  expect(new Set(outcomes)).toEqual(new Set(['login succeeded', 'login failed']));
});

it('does not let a body choose to be a transaction', async () => {
  const { deps } = world();
  const sly = { ...body, subject_type: 'transaction', action: 'transaction' };
  expect((await screenEvent(deps, caller, sly)).record).toMatchObject({ subject_type: 'event', event_type: 'login' });
});

it('answers a repeat with the event that the first request stored', async () => {
  const { table, deps } = world();
  const { record } = await screenEvent(deps, caller, body, claim);
  expect(await screenEvent(deps, caller, body, claim)).toEqual({ record, replayed: true });
  expect(table.screenings.all()).toEqual([record]);
});

it('never answers with a transaction, should a claim lead to one', async () => {
  const { deps } = world();
  const payment = { user_id: 'ann', amount: 25, currency: 'EUR' };
  const { record } = await screenTransaction(deps, caller, payment, claim);
  await expect(screenEvent(deps, caller, body, claim)).rejects.toThrow(`led to transaction ${record.ulid}`);
});

it('refuses what it could not store', async () => {
  const { table, deps } = world();
  const screenings = interpose(
    deps.screenings,
    failing((call) => (call === 'insert' ? 'before' : undefined)),
  );
  await expect(screenEvent({ ...deps, screenings }, caller, body)).rejects.toMatchObject({ code: 'unavailable' });
  expect(table.screenings.all()).toEqual([]);
});
