import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine, runCommand, UsageError } from '../shared/cli/command-line';
import { markdownTable, textTable } from '../shared/cli/text-table';
import { isMissed, type Measurement, provenance, writeReport } from './support/measurement';

// Every other file of this folder is a benchmark: `npm run bench -- cold-start`, or all of them without a name.
const names = readdirSync(__dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''));

const PAGE = join(__dirname, '../docs/measurements.md');

const rowsOf = (measurements: readonly Measurement[]): string[][] => [
  ['measurement', 'value', 'target', ''],
  ...measurements.map((each) => [each.what, each.found, each.aim ?? '', isMissed(each) ? 'missed' : '']),
];

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run bench -- [NAME] [options]',
    about: `Measures ratios within one run. Benchmarks: ${names.join(', ')}; all of them without a name.`,
    options: {
      all: { does: 'run all of them and renew their section of docs/measurements.md' },
      report: {
        value: 'file',
        does: 'also write the results as Markdown, into a section of a page such as docs/measurements.md',
      },
    },
    takesWords: true,
    next: 'docs/measurements.md has the results of the last release to compare with.',
  });
  if (!given) return;
  const [wanted] = given.words;
  const chosen = names.filter((name) => wanted === undefined || name === wanted || name.startsWith(wanted));
  if (chosen.length === 0) throw new UsageError(`No benchmark "${wanted}". Available: ${names.join(', ')}`);
  const measurements: Measurement[] = [];
  for (const name of chosen) {
    console.log(`\n# ${name}`);
    const { run } = (await import(`./${name}`)) as { run: () => Promise<Measurement[]> | Measurement[] };
    measurements.push(...(await run()));
  }
  console.log(`\n${textTable(rowsOf(measurements))}`);
  const report = given.texts.report ?? (given.flags.has('all') ? PAGE : undefined);
  if (report) {
    writeReport(report, 'bench', `${provenance()}.\n\n${markdownTable(rowsOf(measurements))}`);
  }
});
