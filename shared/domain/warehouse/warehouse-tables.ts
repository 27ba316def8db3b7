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

/** The files of a warehouse. */
export interface WarehouseFiles {
  /** All files below a prefix, in the order of their keys. */
  below(prefix: string): AsyncIterable<{ readonly key: string; readonly modifiedMs: number }>;
  read(key: string): Promise<Uint8Array>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Queries of Athena, by their IDs. */
export interface WarehouseQueries {
  start(sql: string): Promise<string>;
  /** Undefined if there is no such query. */
  state(
    id: string,
  ): Promise<{ sql: string; state: 'running' | 'failed' | 'succeeded'; reason?: string | undefined } | undefined>;
  /** Values are texts. */
  rows(id: string): Promise<ReadonlyArray<Readonly<Record<string, string | undefined>>>>;
}
