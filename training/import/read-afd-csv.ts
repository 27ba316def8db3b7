import { parse } from 'csv-parse';
import type { AfdMapping } from '../../shared/domain/afd/afd-mapping';
import { type PlannedVariable, planVariables } from '../../shared/domain/afd/plan-variables';
import { type BadLine, type History, historyBuilder } from '../replay/history';
import { LineFault } from '../replay/history-line';
import { AFD_COLUMNS, type AfdRow, afdLine, isAfdColumn } from './afd-row';
import { columnTable } from './column-table';
import { delimiterOf, headerOf, textOf } from './csv-delimiter';

interface ParsedRow {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number };
}

/** A file that was read, and what its columns became. */
export interface ImportedCsv {
  readonly history: History;
  readonly table: ReturnType<typeof columnTable>;
}

/** Which other columns a file has for its reader alone; they become nothing. @default none */
export interface ReadOptions {
  readonly skip?: (column: string) => boolean;
  /** Called for every usable row, with its position among all rows. */
  readonly onRow?: (i: number, record: Readonly<Record<string, string>>) => void;
}

/**
 * Reads Amazon Fraud Detector's import format unmodified; a row that cannot be used is reported and left out.
 * @throws Error if the header is not in that format
 */
export async function readAfdCsv(
  file: string,
  mapping: AfdMapping,
  tellBad: (bad: BadLine) => void,
  { skip = () => false, onRow }: ReadOptions = {},
): Promise<ImportedCsv> {
  const builder = historyBuilder();
  let plan: readonly PlannedVariable[] = [];
  let table = columnTable([], []);
  const parser = parse({
    delimiter: delimiterOf(await headerOf(file), AFD_COLUMNS[0]),
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    columns: (header: string[]) => {
      const names = checkedHeader(header);
      plan = planVariables(
        names.filter((name) => !isAfdColumn(name) && !skip(name)),
        mapping,
      );
      table = columnTable(names, plan);
      return names;
    },
  });
  parser.on('skip', (error: Error & { lines?: number }) => {
    tellBad({ line: error.lines ?? 0, reason: error.message });
  });
  const text = textOf(file);
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let i = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    try {
      const { line, assumed } = afdLine(rowOf(record, i + 1), plan, mapping);
      builder.add(i, line);
      table.addRow(record, assumed);
      onRow?.(i, record);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      tellBad({ line: info.lines, reason: error.message });
    }
    i++;
  }
  return { history: builder.finish(), table };
}

/** Amazon's own columns by their names in lower case, and the variables as they are. */
function rowOf(record: Readonly<Record<string, string>>, number: number): AfdRow {
  const own: Record<string, string> = {};
  for (const [column, value] of Object.entries(record)) {
    if (isAfdColumn(column) && value.trim() !== '') own[column.toLowerCase()] = value.trim();
  }
  return { own, variables: record, number };
}

function checkedHeader(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  const [time] = AFD_COLUMNS;
  if (!names.some((name) => name.toLowerCase() === time)) {
    throw new Error(`The first line has no column ${time.toUpperCase()}; found ${header.slice(0, 8).join(', ')}`);
  }
  return names;
}
