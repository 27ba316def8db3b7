import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
