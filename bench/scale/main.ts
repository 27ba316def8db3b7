import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Given, numberOf, readCommandLine, runCommand, UsageError } from '../../shared/cli/command-line';
import { markdownTable, textTable, withSections } from '../../shared/cli/text-table';
import { experimentRows, runExperiment } from './experiment/run-experiment';
import type { Scene } from './simulate';
import { SCENES, scaleTables } from './table';

export const PAGE = join(__dirname, '../../docs/scale.md');

/** Between what one shop and the largest platforms have. */
const TEN_THOUSAND: Scene = {
  name: '10,000/s, one account',
  perSecond: 10_000,
  accounts: 1,
  usersPerAccount: 100_000_000,
};

function writePage(tables: Readonly<Record<string, ReadonlyArray<readonly string[]>>>): void {
  const sections = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, markdownTable(rows)]));
  writeFileSync(PAGE, withSections(readFileSync(PAGE, 'utf8'), sections));
  console.error('Updated docs/scale.md');
}

async function experiment(given: Given): Promise<void> {
  const isUnspread = given.flags.has('unspread');
  if (isUnspread && given.flags.has('write')) throw new UsageError('--unspread is a control: it has no --write.');
  const wanted = given.texts.scene ?? '';
  const scenes = [...SCENES, TEN_THOUSAND].filter(({ name }) => name.includes(wanted));
  if (scenes.length === 0) throw new UsageError(`No scene is called ${wanted}`);
  const found = await runExperiment({
    scenes: scenes.sort((a, b) => a.perSecond - b.perSecond),
    perSecond: numberOf(given, 'rate', { min: 1, max: 1_000 }),
    seconds: numberOf(given, 'duration', { min: 1 }),
    warmUpSeconds: numberOf(given, 'warm-up'),
    isUnspread,
    say: (line) => console.error(line),
  });
  const rows = experimentRows(found);
  console.log(textTable(rows));
  if (given.flags.has('write')) writePage({ experiment: rows });
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run scale -- [options]',
    about:
      'Shows what happens at 10, 1,000 and 100,000 screenings per second: the real key design under a Zipf load against\npartition limits, AWS’s default quotas, and the bill. Without --experiment, a simulation: nothing is started.',
    options: {
      write: { does: 'write the tables to docs/scale.md; with --experiment, that of the experiment' },
      experiment: { does: 'run the real stack against a DynamoDB that throttles as AWS does, with limits scaled down' },
      unspread: { does: 'with --experiment, keep every history in one item, as a control' },
      scene: { value: 'text', does: 'run the experiment only for scenes whose name contains this' },
      rate: { value: 'number', does: 'screenings per second that this machine carries', default: '20' },
      duration: { value: 'seconds', does: 'how long to measure each scene', default: '60' },
      'warm-up': {
        value: 'seconds',
        does: 'how long to send before: shards follow the load every 20 seconds',
        default: '90',
      },
    },
    next: 'docs/scale.md explains what degrades first.',
  });
  if (!given) return;
  if (given.flags.has('experiment')) return experiment(given);
  console.error('Simulating (takes a few seconds)');
  const tables = scaleTables();
  for (const [name, rows] of Object.entries(tables)) console.log(`# ${name}\n${textTable(rows)}\n`);
  if (!given.flags.has('write')) return;
  writePage(tables);
});
