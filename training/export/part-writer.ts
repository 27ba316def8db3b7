import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ColumnSource, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { RULES_FEATURE } from '../../shared/domain/models/scoring-model';
import type { ObservedAttribute } from '../../shared/domain/screening/attributes/observed-attribute';
import { FEATURE_NAMES } from '../../shared/domain/screening/features';
import type { ExportedPart } from './manifest';

/** Rows of one file, and of one row group in it: what is in memory at a time, some 8 MB. */
export const ROWS_OF_PART = 25_000;
const ROWS_OF_GROUP = 5_000;

/** One row, as it is exported. */
export interface ExportedRow {
  readonly account: string;
  /** Its position among the rows of its account, in the order of screening. */
  readonly number: number;
  readonly label: 0 | 1;
  readonly weight: number;
  readonly presumed: boolean;
  readonly screened_at_ms: number;
  readonly labeled_at_ms: number;
  readonly vector: Float32Array;
  readonly rules_log_odds: number;
  readonly observed: readonly ObservedAttribute[];
}

/** Collects rows and writes them in row groups; only finished files ever have their names. */
export interface PartWriter {
  add(row: ExportedRow): Promise<void>;
  readonly rows: number;
  finish(): Promise<ExportedPart>;
}

/** Starts a part of a month; rows have IDs from `firstId` on, by which the two files are joined. */
export function partWriter(folder: string, month: string, part: number, firstId: number): PartWriter {
  const name = `month=${month}/part-${String(part).padStart(5, '0')}.parquet`;
  const rowsFile = parquetFile(join(folder, 'rows', name));
  const observedFile = parquetFile(join(folder, 'observed', name));
  let group = rowGroup(firstId);
  let rows = 0;
  let observed = 0;

  const flush = async (): Promise<void> => {
    if (group.rows === 0) return;
    await rowsFile.write(group.columns());
    const seen = group.observed();
    if (seen !== undefined) await observedFile.write(seen);
    group = rowGroup(firstId + rows);
  };

  return {
    async add(row) {
      group.add(row);
      rows++;
      observed += row.observed.length;
      if (group.rows === ROWS_OF_GROUP) await flush();
    },
    get rows() {
      return rows;
    },
    async finish() {
      await flush();
      await rowsFile.finish();
      if (observed > 0) await observedFile.finish();
      return {
        month,
        rows_file: `rows/${name}`,
        observed_file: observed > 0 ? `observed/${name}` : '',
        rows,
        observed,
      };
    },
  };
}

/** A file that is written row group by row group; the first one gives it its schema. */
function parquetFile(path: string) {
  let writer: ParquetWriter | undefined;
  return {
    async write(columnData: ColumnSource[]): Promise<void> {
      if (writer === undefined) {
        mkdirSync(dirname(path), { recursive: true });
        const schema = schemaFromColumnData({ columnData });
        writer = new ParquetWriter({ writer: fileWriter(`${path}.new`), schema });
      }
      await writer.write({ columnData, rowGroupSize: ROWS_OF_GROUP * 100 });
    },
    async finish(): Promise<void> {
      await writer?.finish();
      renameSync(`${path}.new`, path);
    },
  };
}

function rowGroup(firstId: number) {
  const rows: ExportedRow[] = [];
  const column = <T>(name: string, type: ColumnSource['type'], read: (row: ExportedRow, at: number) => T) =>
    ({ name, type, data: rows.map(read), nullable: false }) as ColumnSource;
  const floats = (name: string, read: (row: ExportedRow) => number): ColumnSource => ({
    name,
    type: 'FLOAT',
    data: Float32Array.from(rows, read),
    nullable: false,
  });
  return {
    add: (row: ExportedRow) => rows.push(row),
    get rows() {
      return rows.length;
    },
    columns: (): ColumnSource[] => [
      { name: 'id', type: 'INT32', data: Int32Array.from(rows, (_, at) => firstId + at), nullable: false },
      column('account', 'STRING', ({ account }) => account),
      { name: 'number', type: 'INT32', data: Int32Array.from(rows, ({ number }) => number), nullable: false },
      { name: 'label', type: 'INT32', data: Int32Array.from(rows, ({ label }) => label), nullable: false },
      { name: 'weight', type: 'DOUBLE', data: Float64Array.from(rows, ({ weight }) => weight), nullable: false },
      column('presumed', 'BOOLEAN', ({ presumed }) => presumed),
      column('screened_at', 'TIMESTAMP', ({ screened_at_ms }) => new Date(screened_at_ms)),
      column('labeled_at', 'TIMESTAMP', ({ labeled_at_ms }) => new Date(labeled_at_ms)),
      ...FEATURE_NAMES.map((name, slot) => floats(name, ({ vector }) => vector[slot] as number)),
      floats(RULES_FEATURE, ({ rules_log_odds }) => rules_log_odds),
    ],
    observed(): ColumnSource[] | undefined {
      const all = rows.flatMap(({ observed }, at) => observed.map((attribute) => ({ id: firstId + at, ...attribute })));
      if (all.length === 0) return undefined;
      return [
        { name: 'id', type: 'INT32', data: Int32Array.from(all, ({ id }) => id), nullable: false },
        { name: 'name', type: 'STRING', data: all.map(({ name }) => name), nullable: false },
        { name: 'bucket', type: 'INT32', data: Int32Array.from(all, ({ bucket }) => bucket), nullable: false },
        { name: 'number', type: 'FLOAT', data: Float32Array.from(all, ({ number }) => number), nullable: false },
      ];
    },
  };
}
