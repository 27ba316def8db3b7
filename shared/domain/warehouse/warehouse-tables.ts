import tables from './warehouse-tables.json';

/** Types of columns, as Glue names them. */
export type ColumnType = 'string' | 'bigint' | 'double' | 'boolean' | 'timestamp';

/**
 * The tables of the warehouse. People are in them by pseudonym, so that an erasure finds their rows (`erased-people.ts`).
 * Lists and objects are JSON texts, which Athena reads with `json_extract`. Append only: files keep their columns.
 */
export const WAREHOUSE_TABLES = tables as unknown as Readonly<
  Record<WarehouseTable, Readonly<Record<string, readonly [type: ColumnType, comment: string]>>>
>;

export type WarehouseTable = keyof typeof tables;

export const WAREHOUSE_TABLE_NAMES = Object.keys(WAREHOUSE_TABLES) as readonly WarehouseTable[];

/** A row's values by column; a member that is missing or null is null. */
export type WarehouseValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A row as a file or Athena holds it: instants are dates or texts, numbers may be texts. */
export type ReadRow = Readonly<Record<string, unknown>>;

export interface WarehouseRow {
  readonly table: WarehouseTable;
  readonly values: WarehouseValues;
}
