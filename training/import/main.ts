import { type BundledRun, type CommandLine, needWord, readCommandLine } from '../../shared/cli/command-line';
import { importHistory } from './import-history';

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

export async function main(argv: readonly string[], run: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const { mapping, out = '', bad } = given.texts;
  const order = { file: needWord(given, 0, 'file to import'), mapping, out, bad };
  console.log(await importHistory(order, { ...run, tell: console.error }));
}
