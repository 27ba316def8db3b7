import { predictAfdEvent } from '../../../shared/usecases/afd/predict-afd-event';
import { afdShop, anEvent, CALLER } from './an-event';

it('screens an event once, however often it is sent', async () => {
  const { shop, deps } = afdShop();
  const first = await predictAfdEvent(deps, CALLER, anEvent());
  shop.pass(60_000);
  const later = anEvent();
  const again = await predictAfdEvent(deps, CALLER, {
    ...later,
    note: { ...later.note, event_timestamp: '2026-03-02T12:01:00Z' },
  });
  expect(again).toEqual({ record: first.record, replayed: true });
  expect(shop.table.screenings.all()).toHaveLength(1);
});

it('refuses other content under the same name, and screens another name', async () => {
  const { deps, shop } = afdShop();
  await predictAfdEvent(deps, CALLER, anEvent(25));
  await expect(predictAfdEvent(deps, CALLER, anEvent(250))).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  await predictAfdEvent(deps, CALLER, anEvent(250, 'order-2'));
  expect(shop.table.screenings.all()).toHaveLength(2);
});
