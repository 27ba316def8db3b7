import type { Table } from '../sdk/client';
import { keyOfItem, travelOf } from './account-items';
import { cellTable } from './cell-table';

const AT_ONCE = 16;

/**
 * Removes the data of an account from a table, page by page. What makes the account known stays: where it has left, that is
 * what tells callers where it is now.
 */
export async function* removeAccountItems(table: Table, accountId: string): AsyncGenerator<number> {
  const cell = cellTable(table);
  for await (const items of cell.scan(accountId)) {
    const rest = items.filter((item) => {
      const travel = travelOf(item, accountId);
      return travel === 'copied' || travel === 'counted';
    });
    for (let at = 0; at < rest.length; at += AT_ONCE) {
      await Promise.all(rest.slice(at, at + AT_ONCE).map((item) => cell.remove(keyOfItem(item))));
    }
    yield rest.length;
  }
}
