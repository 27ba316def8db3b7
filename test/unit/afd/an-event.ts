import type { AfdEventToScreen } from '../../../shared/usecases/afd/predict-afd-event';
import { memoryAfdEvents } from '../../support/memory/memory-afd-events';
import { shopInMemory } from '../../support/shop-in-memory';
import { callerOf, payment } from '../../support/traffic/payment';

export const CALLER = callerOf('acc_1');

/** An event of Amazon's client: a payment. */
export const anEvent = (amount = 25, eventId = 'order-1'): AfdEventToScreen => ({
  content: {
    eventId,
    eventTypeName: 'purchase',
    entities: [{ entityType: 'customer', entityId: 'user-1' }],
    eventVariables: { order_price: String(amount) },
  },
  note: { event_timestamp: '2026-03-02T12:00:00Z', entity_type: 'customer', amount_from: 'order_price' },
  subject: payment({ amount }),
});

/** A shop that still calls Amazon's client, on a table in memory. */
export function afdShop() {
  const shop = shopInMemory(CALLER);
  const { outcomes, screenings } = shop.table;
  return { shop, deps: { ...shop.deps, screenings, outcomes, events: memoryAfdEvents() } };
}
