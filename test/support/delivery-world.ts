import { deliveryScene } from './delivery-scene';
import { emptyTable } from './empty-table';
import { tablePorts } from './table-ports';

/** Relay, dispatcher and sweep on a real table. */
export async function deliveryWorld(change: { readonly random?: () => number } = {}) {
  const table = await emptyTable();
  return Object.assign(deliveryScene(tablePorts(table), change), { table });
}
