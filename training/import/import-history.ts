import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledRun } from '../../shared/cli/command-line';
import { progressBar } from '../../shared/cli/progress-bar';
import { type AfdMapping, DEFAULT_MAPPING } from '../../shared/domain/afd/afd-mapping';
import { encodeArtefact } from '../../shared/domain/models/artefact-blob';
import type { ModelMetrics } from '../../shared/domain/models/model-artefact';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import { unpackObserved } from '../../shared/domain/screening/attributes/observed-codec';
import { isCurrency } from '../../shared/domain/screening/currency-rates';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { parseAfdMapping } from '../../shared/schemas/afd-mapping';
import { crossValidate, FEW_FRAUDS } from '../engine/learn/cross-validate';
import { type TrainingResult, trainModel } from '../engine/learn/train-model';
import { type BadLine, readEventFile } from '../replay/history';
import { replay } from '../replay/replay';
import { columnText, historyProposals, proposalText, unratedNotes } from './column-table';
import { readAfdCsv } from './read-afd-csv';

/**
 * Reads a mapping file; without one, the defaults.
 * @throws Error that names the invalid field
 */
export const readMapping = (file: string | undefined): AfdMapping =>
  file === undefined ? DEFAULT_MAPPING : parseAfdMapping(readFileSync(file, 'utf8'), file);

/** The file to import, and where the candidate goes. */
export interface ImportOrder {
  readonly file: string;
  readonly mapping?: string | undefined;
  readonly out: string;
  readonly bad?: string | undefined;
}

export type ImportRun = BundledRun & { readonly tell: (text: string) => void };

const MOST_BAD_SHOWN = 10;

export async function importHistory(order: ImportOrder, { directory, nowMs, tell }: ImportRun): Promise<string> {
  const bad: BadLine[] = [];
  const tellRow = (row: BadLine) => bad.push(row);
  const isCsv = /\.csv(\.gz)?$/i.test(order.file);
  const csv = isCsv ? await readAfdCsv(order.file, readMapping(order.mapping), tellRow) : undefined;
  const history = csv?.history ?? (await readEventFile(order.file, tellRow));
  tellBad(bad, order.bad, tell);
  if (history.length === 0) {
    if (csv) tell(columnText(csv.table.columns()));
    throw new Error('Nothing to train on: no usable rows.');
  }
  const bar = progressBar('rows', history.length);
  const unrated = new Map<string, number>();
  const wiring = { ...replayWiring(directory), isPast: true };
  const { rows, late_labels } = await replay(history.lines(), wiring, (_, { currency }) => {
    bar.step();
    if (currency !== undefined && !isCurrency(currency)) unrated.set(currency, (unrated.get(currency) ?? 0) + 1);
  });
  tell(bar.stop());
  if (csv) tell(`\n${[columnText(csv.table.columns(observedIn(rows))), ...csv.table.notes()].join('\n')}\n`);
  else for (const note of unratedNotes(unrated)) tell(note);
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const late = late_labels > 0 ? `; ${late_labels} of them became known more than 90 days after the event` : '';
  tell(`${rows.length} rows have a label, ${fraud} of them fraud${late}. Training …`);
  if (fraud === 0 || fraud === rows.length) throw new Error('Nothing to train on: all labels are of one kind.');
  const options = { nowMs, source: 'import' } as const;
  const cross_validation = fraud < FEW_FRAUDS ? crossValidate(rows, options) : undefined;
  const worth_tracking = historyProposals(history);
  const measured = { worth_tracking, ...(cross_validation === undefined ? {} : { cross_validation }) };
  const training = trainModel(rows, { ...options, measured });
  return `\n${describe(training)}\nWritten to ${write(training, order.out)}`;
}

function observedIn(rows: readonly TrainingRow[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { observed } of rows) {
    if (observed !== undefined) for (const { name } of unpackObserved(observed)) names.add(name);
  }
  return names;
}

function tellBad(bad: readonly BadLine[], file: string | undefined, tell: ImportRun['tell']): void {
  if (bad.length === 0) return;
  const lines = bad.map(({ line, reason }) => `line ${line}: ${reason}`);
  tell(`Skipped ${bad.length} unusable rows:`);
  for (const line of lines.slice(0, MOST_BAD_SHOWN)) tell(`  ${line}`);
  if (file !== undefined) writeFileSync(file, `${lines.join('\n')}\n`);
  else if (bad.length > MOST_BAD_SHOWN) {
    tell(`  … and ${bad.length - MOST_BAD_SHOWN} more; use --bad FILE to save them all`);
  }
}

function write({ artefact, text, findings }: TrainingResult, out: string): string {
  const folder = join(out, artefact.version);
  mkdirSync(folder, { recursive: true });
  const { forest: _, ...rest } = artefact;
  writeFileSync(join(folder, 'artefact.bin'), encodeArtefact(artefact));
  writeFileSync(join(folder, 'model.txt'), text);
  writeFileSync(join(folder, 'metadata.json'), `${JSON.stringify({ ...rest, findings }, null, 2)}\n`);
  return folder;
}

function describe({ artefact, findings }: TrainingResult): string {
  const { holdout, cross_validation, worth_tracking = [], features, labels } = artefact.card;
  const used = new Set(artefact.forest.featureNames);
  const columns = (name: string) =>
    artefact.attributes.columns.filter(({ source, feature }) => source === name && used.has(feature)).length;
  return [
    `Candidate ${artefact.version}: ${labels.fraud + labels.legitimate} labels, ${labels.fraud} fraud`,
    ...(holdout ? [`On the newest ${qualityText(holdout)}`] : []),
    ...(cross_validation
      ? [
          `Few frauds, so cross-validated in the order of time, ${cross_validation.folds} times on rows that came later: ${qualityText(cross_validation)}`,
        ]
      : []),
    ...(holdout || cross_validation ? [] : ['Too little fraud to measure the quality of this model.']),
    '',
    'What helped most:',
    ...features.slice(0, 10).map(({ name, gain }) => `  ${name.padEnd(36)} ${(100 * gain).toFixed(1)}%`),
    '',
    'Attributes:',
    ...findings.map(
      ({ name, values: count, made }) =>
        `  ${name.padEnd(36)} ${String(count).padStart(6)} values   ${made}${columns(name) > 0 ? ', used' : ''}`,
    ),
    ...proposalText(worth_tracking),
  ].join('\n');
}

const qualityText = ({ rows, fraud, auc, ...metrics }: ModelMetrics): string =>
  `${rows} rows (${fraud} fraud): AUC ${auc.toFixed(4)}, average precision ${metrics.average_precision.toFixed(4)}, recall ${metrics.recall_at_1pct.toFixed(3)} at 1% and ${metrics.recall_at_5pct.toFixed(3)} at 5% false positives`;
