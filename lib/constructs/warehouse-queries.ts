import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERASED, MARK_SQL } from '../../shared/domain/warehouse/erased-people';
import { type ColumnType, WAREHOUSE_TABLES, type WarehouseTable } from '../../shared/domain/warehouse/warehouse-tables';

export const rawName = (table: WarehouseTable): string => `raw_${table}`;

export const columnsOf = (table: WarehouseTable): Array<{ name: string; type: ColumnType; comment: string }> =>
  Object.entries(WAREHOUSE_TABLES[table]).map(([name, [type, comment]]) => ({ name, type, comment }));

/** Every event once, since Firehose and the relay may both write a record twice, and nobody who asked to be erased. */
export const viewSql = (table: WarehouseTable): string => {
  const columns = [...columnsOf(table).map(({ name }) => name), 'dt', 'hour'].map((name) => `r.${name}`).join(', ');
  return `SELECT ${columns}
FROM (SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY dt, hour) AS copy FROM ${rawName(table)}) r
LEFT JOIN (SELECT account_id, mark, max(requested_at) AS until FROM ${ERASED} GROUP BY account_id, mark) e
  ON e.account_id = r.account_id AND e.mark = ${MARK_SQL}
WHERE r.copy = 1 AND (e.until IS NULL OR r.occurred_at > e.until)`;
};

interface WarehouseQuery {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
}

/** The saved questions, each after a comment with its name and description. */
export const WAREHOUSE_QUERIES: readonly WarehouseQuery[] = readFileSync(
  join(__dirname, 'warehouse-queries.sql'),
  'utf8',
)
  .split(/^-- (?=[a-z-]+: )/m)
  .flatMap((text) => {
    const [, name, description, sql] = /^([a-z-]+): (.*)\n([\s\S]*)$/.exec(text.trim()) ?? [];
    return name && description && sql ? [{ name, description, sql }] : [];
  });
