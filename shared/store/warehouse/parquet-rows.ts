import { parquetReadObjects } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { ReadRow } from '../../domain/warehouse/warehouse-tables';

const PARQUET: Readonly<Record<string, ColumnSource['type']>> = {
  string: 'STRING',
  bigint: 'INT64',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
};

/** The rows of a Parquet file: instants as dates, whole numbers as BigInt. */
export async function readParquet(bytes: Uint8Array): Promise<ReadRow[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return parquetReadObjects({ file });
}

/** Rows as a Parquet file, with columns by their names in Glue and types of Glue; all of them may be null. */
export function writeParquet(
  columns: ReadonlyArray<readonly [name: string, type: string]>,
  rows: readonly ReadRow[],
): Uint8Array {
  const columnData = columns.map(([name, type]) => {
    const data = rows.map((row) => row[name] ?? null);
    return { name, data, type: PARQUET[type], nullable: true } as ColumnSource;
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
