import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledRun } from '../../bin/cli/bundled-run';
import { type CommandLine, needWord, readCommandLine } from '../../bin/cli/command-line';
import { progressBar } from '../../bin/cli/progress-bar';
import { encodeArtefact } from '../../shared/domain/models/artefact-blob';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { type TrainingResult, trainModel } from '../engine/learn/train-model';
import { type BadLine, readEventFile } from '../replay/history';
import { replay } from '../replay/replay';
import { readMapping } from './afd-mapping';
import { readAfdCsv } from './read-afd-csv';

const COMMAND_LINE = {
  usage: 'npm run import -- FILE [options]',
  about: [
    "Trains on a history: JSON lines (.jsonl) or Amazon Fraud Detector's CSV unchanged, optionally gzipped (.gz).",
    'Screens it in chronological order, trains, evaluates the model on the newest fifth, and writes a candidate:',
    '  <out>/<version>/artefact.bin, model.txt (LightGBM), metadata.json',
  ].join('\n'),
  options: {
    mapping: { value: 'file', does: 'JSON that maps columns to fields' },
    out: { value: 'directory', does: 'where candidates go', default: 'candidates' },
    bad: { value: 'file', does: 'write unusable rows, with reasons, to this file' },
  },
  takesWords: true,
  notes: 'Try it with the sample that ships: npm run import -- docs/samples/fraud-detector-events.csv',
  next: 'npm run model -- add DIRECTORY puts a candidate into the registry.',
} as const satisfies CommandLine;

const MOST_BAD_SHOWN = 10;

/** Imports a file. */
export async function main(argv: readonly string[], { directory, nowMs }: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const file = needWord(given, 0, 'file to import');
  const { mapping, out = '', bad: badFile } = given.texts;
  const bad: BadLine[] = [];
  const isCsv = /\.csv(\.gz)?$/i.test(file);
  const history = isCsv
    ? await readAfdCsv(file, readMapping(mapping), (row) => bad.push(row))
    : await readEventFile(file, (row) => bad.push(row));
  tellBad(bad, badFile);
  if (history.length === 0) throw new Error('Nothing to train on: no usable rows.');
  const bar = progressBar('rows', history.length);
  const { rows, late_labels } = await replay(history.lines(), { ...replayWiring(directory), isPast: true }, () =>
    bar.step(),
  );
  console.error(bar.stop());
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const late = late_labels > 0 ? `; ${late_labels} labels arrived more than 90 days later and are not used` : '';
  console.error(`${rows.length} rows have a label, ${fraud} of them fraud${late}. Training …`);
  if (fraud === 0 || fraud === rows.length) throw new Error('Nothing to train on: all labels are of one kind.');
  const training = trainModel(rows, { nowMs, source: 'import' });
  console.log(`\n${describe(training)}\nWritten to ${write(training, out)}`);
}

function tellBad(bad: readonly BadLine[], file: string | undefined): void {
  if (bad.length === 0) return;
  const lines = bad.map(({ line, reason }) => `line ${line}: ${reason}`);
  console.error(`Skipped ${bad.length} unusable rows:`);
  for (const line of lines.slice(0, MOST_BAD_SHOWN)) console.error(`  ${line}`);
  if (file !== undefined) writeFileSync(file, `${lines.join('\n')}\n`);
  else if (bad.length > MOST_BAD_SHOWN) {
    console.error(`  … and ${bad.length - MOST_BAD_SHOWN} more; use --bad FILE to save them all`);
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
  const { holdout, features, labels } = artefact.card;
  const used = new Set(artefact.forest.featureNames);
  const columns = (name: string) =>
    artefact.attributes.columns.filter(({ source, feature }) => source === name && used.has(feature)).length;
  return [
    `Candidate ${artefact.version}: ${labels.fraud + labels.legitimate} labels, ${labels.fraud} fraud`,
    holdout === null
      ? 'Too little fraud to hold any out: the quality of this model is unknown.'
      : `On the newest ${holdout.rows} rows (${holdout.fraud} fraud): AUC ${holdout.auc.toFixed(4)}, average precision ${holdout.average_precision.toFixed(4)}, recall ${holdout.recall_at_1pct.toFixed(3)} at 1% and ${holdout.recall_at_5pct.toFixed(3)} at 5% false positives`,
    '',
    'What helped most:',
    ...features.slice(0, 10).map(({ name, gain }) => `  ${name.padEnd(36)} ${(100 * gain).toFixed(1)}%`),
    '',
    'Attributes:',
    ...findings.map(
      ({ name, values: count, made }) =>
        `  ${name.padEnd(36)} ${String(count).padStart(6)} values   ${made}${columns(name) > 0 ? ', used' : ''}`,
    ),
  ].join('\n');
}
