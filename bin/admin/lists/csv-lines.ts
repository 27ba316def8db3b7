import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import type { NewEntry } from '../../../shared/domain/lists/list-entry';

/** An entry and the line of the file that it is on. */
export interface CsvEntry {
  readonly line: number;
  readonly entry: NewEntry;
}

const COLUMNS = ['value', 'expires_at', 'reason'] as const;

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Entries of a CSV file, one after another. Without a header, the columns are value, expires_at and reason. */
export async function* readEntries(file: string): AsyncGenerator<CsvEntry> {
  const parser = parse({ info: true, bom: true, trim: true, skip_empty_lines: true, relax_column_count: true });
  const rows = createReadStream(file).pipe(parser) as AsyncIterable<Parsed>;
  let columns: readonly string[] | undefined;
  for await (const { record, info } of rows) {
    if (columns === undefined) {
      const names = record.map((name) => name.toLowerCase());
      columns = names.includes('value') ? names : COLUMNS;
      if (columns === names) continue;
    }
    const cell = (name: string): string | undefined => record[columns?.indexOf(name) ?? -1] || undefined;
    const entry = { value: cell('value') ?? '', expires_at: cell('expires_at'), reason: cell('reason') };
    yield { line: info.lines, entry };
  }
}

/** A line of CSV. */
export const csvLine = (cells: ReadonlyArray<string | null>): string =>
  `${cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell ?? '') ? `"${cell?.replaceAll('"', '""')}"` : (cell ?? ''))).join(',')}\n`;
