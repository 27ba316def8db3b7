import { readdirSync, writeFileSync } from 'node:fs';
import { readCommandLine, runCommand, UsageError } from '../shared/cli/command-line';
import { markdownTable, textTable } from '../shared/cli/text-table';
import type { Measurement } from './support/measurement';
import { provenance } from './support/provenance';

// Every file beside this one is a benchmark: `npm run bench -- cold-start`, or all of them without a name.
const names = readdirSync(__dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''));

const rowsOf = (measurements: readonly Measurement[]): string[][] => [
  ['measurement', 'value', 'target'],
  ...measurements.map(({ what, found, aim = '' }) => [what, found, aim]),
];

const page = (measurements: readonly Measurement[]): string =>
  [
    '# Performance',
    '',
    'Results of one run of `npm run bench -- --report docs/performance.md`. Times depend on the machine; ratios compare two',
    'measurements taken alternately within the run, so that noise affects both sides equally.',
    '',
    `Measured: ${provenance()}.`,
    '',
    markdownTable(rowsOf(measurements)),
    '',
  ].join('\n');

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run bench -- [NAME] [options]',
    about: `Measures ratios within one run. Benchmarks: ${names.join(', ')}; all of them without a name.`,
    options: { report: { value: 'file', does: 'also write the results as Markdown' } },
    takesWords: true,
    next: 'docs/performance.md has the results of the last release to compare with.',
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
  if (given.texts.report) writeFileSync(given.texts.report, page(measurements));
});
