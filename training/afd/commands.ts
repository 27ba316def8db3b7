import { needWord } from '../../bin/cli/command-line';
import type { CommandTable } from '../../bin/cli/command-table';
import { type ImportRun, importHistory } from '../import/import-history';
import { scoreTable } from './score-table';

/** What every command gets. */
export type AfdRun = ImportRun;

/** Every command of `npm run afd`, one row each. */
export const AFD_COMMANDS: CommandTable<AfdRun> = {
  program: 'npm run afd',
  about: 'Moves what you have in Amazon Fraud Detector: docs/guide/leave-fraud-detector.md.',
  usage: 'npm run afd -- COMMAND [options]',
  options: {
    mapping: { value: 'file', does: 'JSON that maps columns to fields' },
    out: { value: 'path', does: 'where the result goes' },
    bad: { value: 'file', does: 'write unusable rows, with reasons, to this file' },
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
    'score-table': {
      usage: 'score-table',
      does: "measure false positives on simulated traffic, and write the table that Amazon's score is made from",
      run: async ({ directory }) => scoreTable(directory),
    },
  },
};
