import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { type BadLine, type History, historyBuilder } from '../replay/history';
import { LineFault } from '../replay/history-line';
import { AFD_COLUMNS, type AfdMapping } from './afd-mapping';
import { afdLine } from './afd-row';

interface ParsedRow {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number };
}

/**
 * Reads Amazon Fraud Detector's import format unmodified; a row that cannot be used is reported and left out.
 * @throws Error if the header is not in that format
 */
export async function readAfdCsv(file: string, mapping: AfdMapping, tellBad: (bad: BadLine) => void): Promise<History> {
  const builder = historyBuilder();
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    columns: (header: string[]) => checkedHeader(header),
  });
  parser.on('skip', (error: Error & { lines?: number }) => {
    tellBad({ line: error.lines ?? 0, reason: error.message });
  });
  const bytes = createReadStream(file);
  bytes.on('error', (error) => parser.destroy(error));
  if (file.endsWith('.gz')) {
    const text = bytes.pipe(createGunzip());
    text.on('error', (error) => parser.destroy(error));
    text.pipe(parser);
  } else bytes.pipe(parser);
  let i = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    try {
      builder.add(i, afdLine(record, mapping));
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      tellBad({ line: info.lines, reason: error.message });
    }
    i++;
  }
  return builder.finish();
}

function checkedHeader(header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const [time] = AFD_COLUMNS;
  if (!names.includes(time)) {
    throw new Error(`The first line has no column ${time.toUpperCase()}; found ${header.slice(0, 8).join(', ')}`);
  }
  return header;
}
