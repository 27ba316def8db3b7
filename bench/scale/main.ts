import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine, runCommand } from '../../shared/cli/command-line';
import { markdownTable, textTable, withSections } from '../../shared/cli/text-table';
import { scaleTables } from './table';

export const PAGE = join(__dirname, '../../docs/scale.md');

function writePage(tables: Readonly<Record<string, ReadonlyArray<readonly string[]>>>): void {
  const sections = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, markdownTable(rows)]));
  writeFileSync(PAGE, withSections(readFileSync(PAGE, 'utf8'), sections));
  console.error('Updated docs/scale.md');
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run scale -- [options]',
    about:
      'Shows what happens at 10, 1,000 and 100,000 screenings per second: the real key design under a Zipf load against partition limits, AWS’s default quotas, and the bill. A simulation: nothing is started.',
    options: {
      write: { does: 'write the tables to docs/scale.md' },
    },
    next: 'docs/scale.md explains what degrades first.',
  });
  if (!given) return;
  console.error('Simulating (takes a few seconds)');
  const tables = scaleTables();
  for (const [name, rows] of Object.entries(tables)) console.log(`# ${name}\n${textTable(rows)}\n`);
  if (!given.flags.has('write')) return;
  writePage(tables);
});
