import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { type AfdAssumption, AfdFault, afdBody } from '../../shared/domain/afd/afd-body';
import { type AfdMapping, labelOfName } from '../../shared/domain/afd/afd-mapping';
import { type PlannedVariable, planVariables } from '../../shared/domain/afd/plan-variables';
import { type BadLine, type History, historyBuilder } from '../replay/history';
import { LineFault } from '../replay/history-line';
import { AFD_COLUMNS, type AfdColumn, columnTable, isAfdColumn } from './column-table';

const YEAR_FIRST = String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})`;
const MONTH_FIRST = String.raw`(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4}|\d{2})`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?: ?(?<half>[AaPp])[Mm])?`;
/** The times that Amazon's format allows besides ISO 8601, none of which names a zone: they are UTC. */
const FORMS = [YEAR_FIRST, MONTH_FIRST].map((date) => new RegExp(`^${date}(?:[ T]+${CLOCK})?$`));

function hoursOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/**
 * A time as Amazon's CSV may have it, as ISO 8601 or a number: with slashes, the month first, AM and PM, or seconds since
 * 1970. `Date` would read those in the zone of this machine. What has none of these forms is returned as it is.
 * @throws LineFault for a day that no month has
 */
export function afdTime(text: string): string | number {
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return Number(text);
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return text;
  const number = (name: string): number => Number(groups[name] ?? 0);
  const year = number('year') < 100 ? 2000 + number('year') : number('year');
  const hour = hoursOf(number('hour'), groups.half);
  const at = new Date(Date.UTC(year, number('month') - 1, number('day'), hour, number('minute'), number('second')));
  // The 31st of February would otherwise become a day of March, and 13/24/2022 one of the next year.
  const isReal = at.getUTCMonth() === number('month') - 1 && at.getUTCDate() === number('day');
  if (!isReal || hour > 23 || number('minute') > 59) throw new LineFault(`"${text}" is not a date of the calendar`);
  return at.toISOString();
}

export interface AfdRow {
  readonly own: Partial<Readonly<Record<AfdColumn, string>>>;
  readonly variables: Readonly<Record<string, string>>;
  /** From 1; names a row that says nothing about who acted. */
  readonly number: number;
}

export interface AfdLine {
  readonly line: unknown;
  readonly assumed: readonly AfdAssumption[];
}

/**
 * A row of Amazon's CSV as a line of a history.
 * @throws LineFault if it is unusable: no time, no valid amount, an unknown label
 */
export function afdLine(row: AfdRow, plan: readonly PlannedVariable[], mapping: AfdMapping): AfdLine {
  const { own, variables, number } = row;
  if (own.event_timestamp === undefined) throw new LineFault('EVENT_TIMESTAMP is missing');
  const label = labelOf(own.event_label, mapping);
  const { kind, body, assumed } = bodyOf(() =>
    afdBody({ variables, entityId: own.entity_id, fallbackId: `row-${number}` }, plan, mapping),
  );
  const label_t = own.label_timestamp === undefined ? null : afdTime(own.label_timestamp);
  return { line: { t: afdTime(own.event_timestamp), kind, body, label, label_t }, assumed };
}

function bodyOf<Body>(read: () => Body): Body {
  try {
    return read();
  } catch (error) {
    throw error instanceof AfdFault ? new LineFault(error.message) : error;
  }
}

function labelOf(label: string | undefined, mapping: AfdMapping): 0 | 1 | null {
  if (label === undefined) return null;
  const known = labelOfName(label, mapping);
  if (known === undefined) {
    throw new LineFault(`the label "${label}" is neither fraud nor legitimate: add it to the mapping`);
  }
  return known === 'fraud' ? 1 : 0;
}

/** Column separators of files that call themselves CSV: Excel writes semicolons in half of Europe. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** More than any header has. */
const MOST_HEADER_BYTES = 1_000_000;

export function textOf(file: string): Readable {
  const bytes = createReadStream(file);
  // A failure reaches the reader through the stream itself.
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
}

/** The delimiter by which a header has this column; a comma if there is none. */
export function delimiterOf(header: string, column: string): string {
  const isColumn = (name: string) =>
    name
      .replace(/^\uFEFF/, '')
      .replaceAll('"', '')
      .trim()
      .toLowerCase() === column;
  return DELIMITERS.find((delimiter) => header.split(delimiter).some(isColumn)) ?? ',';
}

export async function headerOf(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of textOf(file) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (chunk.includes('\n') || length > MOST_HEADER_BYTES) break;
  }
  return (
    Buffer.concat(chunks)
      .toString('utf8')
      .trimStart()
      .split(/\r?\n|\r/, 1)[0] ?? ''
  );
}

interface ParsedRow {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number };
}

export interface ImportedCsv {
  readonly history: History;
  readonly table: ReturnType<typeof columnTable>;
}

/** Which other columns a file has for its reader alone; they become nothing. @default none */
export interface ReadOptions {
  readonly skip?: (column: string) => boolean;
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
