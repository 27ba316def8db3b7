import { findAfdEvent } from '../../../shared/usecases/afd/find-afd-event';
import { labelAfdEvent } from '../../../shared/usecases/afd/label-afd-event';
import { predictAfdEvent } from '../../../shared/usecases/afd/predict-afd-event';
import { afdShop, anEvent, CALLER } from './an-event';

const NAME = { eventId: 'order-1', eventTypeName: 'purchase' };

it('labels an event as a review does; the same label again changes nothing', async () => {
  const { shop, deps } = afdShop();
  await predictAfdEvent(deps, CALLER, anEvent());
  const labelled = await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'fraud' });
  expect(labelled.review).toMatchObject({ decision: 'block', analyst_id: 'UpdateEventLabel' });
  expect(await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'fraud' })).toEqual(labelled);
  await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'yes' });
  expect((await findAfdEvent(deps, CALLER, NAME)).event.label_name).toBe('yes');
  expect(shop.table.outcomes.audits).toHaveLength(1);
  const corrected = await labelAfdEvent(deps, CALLER, NAME, { label: 'legitimate', name: 'ok' });
  expect(corrected).toMatchObject({ review: { decision: 'allow' }, review_count: 2 });
});

it('does not know an event that was never sent', async () => {
  await expect(labelAfdEvent(afdShop().deps, CALLER, NAME, { label: 'fraud', name: 'fraud' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
