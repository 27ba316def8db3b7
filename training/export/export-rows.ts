import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ColumnSource, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { reviewAgainst } from '../../shared/domain/models/label-reviews';
import type { LabelReview } from '../../shared/domain/models/registry-state';
import { storedSignals } from '../../shared/domain/models/row-scorer';
import { RULES_FEATURE } from '../../shared/domain/models/scoring-model';
import type { StoredLabel } from '../../shared/domain/models/stored-label';
import { observedOf, vectorOf } from '../../shared/domain/models/training-row';
import { TRAINING_RULE } from '../../shared/domain/models/training-rule';
import type { ObservedAttribute } from '../../shared/domain/screening/attributes/observed-attribute';
import { FEATURE_NAMES } from '../../shared/domain/screening/features';
import { rulesLogOdds } from '../../shared/domain/screening/score';
import { ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import { type LabelledRow, labelledRow, monthsBack, teachesNow } from '../../shared/usecases/models/labelled-rows';
import { signalJudgements } from '../engine/learn/signal-judgements';
import {
  type AccountCounts,
  type ExportedPart,
  type ExportParent,
  type ExportPosition,
  type ExportState,
  manifestOf,
  readState,
  writeState,
} from './manifest';

/** Rows of one file, and of one row group in it: what is in memory at a time, some 8 MB. */
export const ROWS_OF_PART = 25_000;
const ROWS_OF_GROUP = 5_000;

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

export interface LabelPages {
  accounts(): Promise<readonly string[]>;
  pagesInMonth(accountId: string, month: string, after?: string): AsyncIterable<readonly StoredLabel[]>;
}

export interface ExportDeps {
  readonly stage: string;
  readonly clock: { now(): number };
  readonly labels: LabelPages;
  /** Labels that do not teach. */
  readonly reviews: readonly LabelReview[];
  readonly parent: ExportParent | undefined;
  /** Rows per file. @default 25,000 */
  readonly rowsOfPart?: number;
  readonly onPart?: (rows: number) => void;
}

export interface ExportEnd {
  readonly rows: number;
  readonly parts: number;
  readonly wasContinued: boolean;
}

const MANIFEST = 'manifest.json';

/**
 * Writes all training rows of the window to a folder: Parquet files by month, and a manifest. One part is in memory at a
 * time, however many rows there are. If the folder holds an export that was interrupted, continues it.
 */
export async function exportRows(deps: ExportDeps, folder: string): Promise<ExportEnd> {
  const left = readState(folder);
  if (left !== undefined && left.stage !== deps.stage) {
    throw new Error(`${folder} holds an export of ${left.stage}; choose another folder.`);
  }
  mkdirSync(folder, { recursive: true });
  const run = exportRun(deps, folder, left ?? (await firstState(deps)));
  const { months, accounts, position } = run.state();
  for (let month = position.month; month < months.length; month++) {
    for (let account = month === position.month ? position.account : 0; account < accounts.length; account++) {
      const after = month === position.month && account === position.account ? position.after : undefined;
      for await (const page of deps.labels.pagesInMonth(accounts[account] as string, months[month] as string, after)) {
        for (const stored of page)
          await run.add(stored, { month, account, after: ulidOf(stored.subject_id, 'txn', 'evt') });
      }
    }
    await run.endMonth({ month: month + 1, account: 0, after: undefined });
  }
  const { parts, ...state } = run.state();
  const manifest = manifestOf({ ...state, parts }, deps.parent);
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(join(folder, 'export-state.json'));
  return { rows: manifest.rows, parts: parts.length, wasContinued: left !== undefined };
}

/** Oldest months first, so that the rows of every account are in the order of screening. */
async function firstState({ stage, clock, labels }: ExportDeps): Promise<ExportState> {
  const as_of_ms = clock.now();
  return {
    stage,
    as_of_ms,
    months: monthsBack(as_of_ms, as_of_ms - TRAINING_RULE.window_ms).reverse(),
    accounts: [...(await labels.accounts())].sort(),
    position: { month: 0, account: 0, after: undefined },
    parts: [],
    held_labels: 0,
    counts: {},
    signals: [],
  };
}

function exportRun({ reviews, onPart, rowsOfPart = ROWS_OF_PART }: ExportDeps, folder: string, from: ExportState) {
  const { as_of_ms, months, accounts } = from;
  const parts = [...from.parts];
  const counts = new Map<string, AccountCounts>(Object.entries(from.counts));
  const signals = signalJudgements(from.signals);
  let { position, held_labels } = from;
  let rows = parts.reduce((sum, part) => sum + part.rows, 0);
  let part: PartWriter | undefined;

  const state = (): ExportState => ({
    ...from,
    position,
    parts,
    held_labels,
    counts: Object.fromEntries(counts),
    signals: signals.counts(),
  });

  async function finishPart(): Promise<void> {
    if (part === undefined) return;
    parts.push(await part.finish());
    rows += part.rows;
    part = undefined;
    writeState(folder, state());
    onPart?.(rows);
  }

  return {
    state,

    async add(stored: StoredLabel, at: ExportPosition): Promise<void> {
      // A label that was given after the export began would make a continued export differ from another.
      if (!teachesNow(stored, as_of_ms) || Date.parse(stored.labeled_at) > as_of_ms) return;
      const account_id = accounts[at.account] as string;
      const row: LabelledRow = { ...labelledRow(stored), account: at.account, account_id };
      if (row.presumed !== true && reviewAgainst(reviews, row) !== undefined) {
        held_labels++;
        return;
      }
      const month = months[at.month] as string;
      part ??= partWriter(folder, month, parts.filter((done) => done.month === month).length, rows);
      const counted = counts.get(account_id) ?? { rows: 0, fraud: 0 };
      const vector = vectorOf(row);
      const fired = storedSignals(vector);
      const { label, weight = 1, presumed = false, screened_at_ms, labeled_at_ms } = row;
      const times = { screened_at_ms, labeled_at_ms };
      await part.add({
        ...{ account: account_id, number: counted.rows, label, weight, presumed, ...times },
        ...{ vector, rules_log_odds: rulesLogOdds(fired), observed: observedOf(row) },
      });
      counts.set(account_id, { rows: counted.rows + 1, fraud: counted.fraud + label });
      if (!presumed) for (const { name, log_odds } of fired) signals.add(account_id, name, log_odds, weight);
      position = at;
      if (part.rows === rowsOfPart) await finishPart();
    },

    /** A part never spans two months. */
    async endMonth(next: ExportPosition): Promise<void> {
      position = next;
      if (part !== undefined) await finishPart();
      else writeState(folder, state());
    },
  };
}
