import { findAfdEvent } from '../../../shared/usecases/afd/find-afd-event';
import { predictAfdEvent } from '../../../shared/usecases/afd/predict-afd-event';
import { callerOf } from '../../support/payment';
import { DAY } from '../../support/shop-in-memory';
import { afdShop, anEvent, CALLER } from './an-event';

const NAME = { eventId: 'order-1', eventTypeName: 'purchase' };

it('finds an event with its screening for 90 days, for its own account', async () => {
  const { shop, deps } = afdShop();
  const { record } = await predictAfdEvent(deps, CALLER, anEvent());
  expect(await findAfdEvent(deps, CALLER, NAME)).toMatchObject({
    record,
    event: { ulid: record.ulid, entity_type: 'customer', amount_from: 'order_price' },
  });
  const missing = { code: 'not_found' };
  await expect(findAfdEvent(deps, callerOf('acc_2'), NAME)).rejects.toMatchObject(missing);
  await expect(findAfdEvent(deps, CALLER, { ...NAME, eventTypeName: 'login' })).rejects.toMatchObject(missing);
  shop.pass(90 * DAY);
  await expect(findAfdEvent(deps, CALLER, NAME)).rejects.toMatchObject(missing);
});
