import { emptyTable } from '../stores/empty-table';
import { tablePorts } from '../stores/table-ports';
import { deliveryScene } from './delivery-scene';

/** Relay, dispatcher and sweep on a real table. */
export async function deliveryWorld(change: { readonly random?: () => number } = {}) {
  const table = await emptyTable();
  return Object.assign(deliveryScene(tablePorts(table), change), { table });
}
