import { type BundledRun, type CommandTable, needWord, readCommand } from '../../shared/cli/command-line';
import { type ImportRun, importHistory, readMapping } from '../import/import-history';
import { agreement } from './agreement';
import { declareFile } from './declare-file';
import { importLists } from './import-lists';
import { importRules } from './rules/import-rules';
import { writeSampleFiles } from './sample-files';
import { scoreTable } from './score-table';

/** The context of every command. */
export type AfdRun = ImportRun;

export const AFD_COMMANDS: CommandTable<AfdRun> = {
  program: 'npm run afd',
  about: 'Moves what you have in Amazon Fraud Detector: docs/guide/leave-fraud-detector.md.',
  usage: 'npm run afd -- COMMAND [options]',
  next: 'try one with a sample that ships: docs/samples/fraud-detector-*.',
  options: {
    mapping: { value: 'file', does: 'JSON that maps columns to fields' },
    out: { value: 'path', does: 'where the result goes' },
    bad: { value: 'file', does: 'write unusable rows, with reasons, to this file' },
    score: { value: 'column', does: "the column with Amazon's score" },
    'event-type': { value: 'name', does: "Amazon's name of the event type. @default the name of the file" },
    url: { value: 'url', does: 'send lists to the stage at this address' },
    'key-file': { value: 'file', does: 'a file with the API key to send with' },
  },
  commands: {
    'import-events': {
      usage: 'import-events FILE.csv [--mapping FILE] [--out DIRECTORY] [--bad FILE]',
      does: 'train a candidate on exported events, as npm run import does',
      run: async (run, given) => {
        const { mapping, out = 'candidates', bad } = given.texts;
        return importHistory({ file: needWord(given, 0, 'file to import'), mapping, out, bad }, run);
      },
    },
    declare: {
      usage: 'declare FILE.csv [--event-type NAME] [--mapping FILE] [--out FILE]',
      does: 'write the attributes and the event type of exported events as a policy file (npm run rules)',
      run: async (_run, given) => {
        const { mapping, out = 'policy.yaml', 'event-type': eventType } = given.texts;
        return declareFile(needWord(given, 0, 'file with events'), readMapping(mapping), { out, eventType });
      },
    },
    'import-rules': {
      usage: 'import-rules FILE.json [--mapping FILE] [--out FILE]',
      does: 'turn rules (aws frauddetector get-rules) into ours; lists those that cannot be, with the reason',
      run: async (_run, given) => {
        const { mapping, out = 'rules.yaml' } = given.texts;
        return importRules(needWord(given, 0, 'file with rules'), readMapping(mapping), out);
      },
    },
    'import-lists': {
      usage: 'import-lists FILE.json [--mapping FILE] [--out FILE] [--url URL --key-file FILE]',
      does: 'turn lists (aws frauddetector get-list-elements) into calls of the API, and send them',
      run: async (_run, given) => {
        const { mapping, out = 'lists.jsonl', url, 'key-file': keyFile } = given.texts;
        return importLists(needWord(given, 0, 'file with lists'), readMapping(mapping), { out, url, keyFile });
      },
    },
    agreement: {
      usage: 'agreement FILE.csv [--mapping FILE] [--score COLUMN] [--out FILE]',
      does: 'compare exported predictions with ours: ranks, AUC, who is flagged now and was not; as a page',
      run: async (run, given) => {
        const { mapping, score, out = 'agreement.html' } = given.texts;
        const file = needWord(given, 0, 'file with predictions');
        return agreement({ file, mapping: readMapping(mapping), score, out }, run);
      },
    },
    'sample-events': {
      usage: 'sample-events [--out DIRECTORY]',
      does: 'write four files that are hard to import: no ENTITY_ID, late labels, 70 variables, odd currencies',
      run: async (_run, given) =>
        writeSampleFiles(given.texts.out ?? '.local/fraud-detector')
          .map((file) => `npm run import -- ${file}`)
          .join('\n'),
    },
    'score-table': {
      usage: 'score-table',
      does: "measure false positives on simulated traffic, and write the table that Amazon's score is made from",
      run: async ({ directory }) => scoreTable(directory),
    },
  },
};

const TABLE: CommandTable<AfdRun> = AFD_COMMANDS;

export async function main(argv: readonly string[], run: BundledRun): Promise<void> {
  const called = readCommand(TABLE, argv);
  if (!called) return;
  console.log(await called.command.run({ ...run, tell: console.error }, called.given));
}
