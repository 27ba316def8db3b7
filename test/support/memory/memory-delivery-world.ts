import { deliveryScene } from '../webhooks/delivery-scene';
import { memoryTable } from './memory-table';

/** Relay, dispatcher and sweep on a table in memory. */
export function memoryDeliveryWorld(change: { readonly random?: () => number } = {}) {
  const table = memoryTable();
  return Object.assign(deliveryScene(table, change), { table });
}

export type MemoryDeliveryWorld = ReturnType<typeof memoryDeliveryWorld>;
